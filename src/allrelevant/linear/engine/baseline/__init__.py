"""The reference model: the best one for one price of the loss after another."""
