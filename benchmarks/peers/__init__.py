"""Other ways to select features beside ours, on data that none of them was tuned on."""
