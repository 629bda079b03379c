"""Building blocks of rule sheets: cards, steps, hands, poker, and the driver of a procedure."""
