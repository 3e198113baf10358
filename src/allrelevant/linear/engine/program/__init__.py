"""What every program over equivalent models is made of: pieces, budgets, a direction, a proof."""
