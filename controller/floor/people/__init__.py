"""People at the floor: who they are, which acts they may do, and texts for the outcomes."""
