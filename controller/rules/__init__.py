"""What a rule sheet is written with: cards, steps, hands, poker, and what drives a procedure."""
