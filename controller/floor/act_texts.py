"""What is said of acts at the floor, in English; the other languages are in `locale/`."""

NOT_ASSIGNED = "Table {table} is not assigned to {name}"
ONLY_LOOKS = "{name} is neither a manager nor a supervisor: here they may look only"
NOT_THEIRS = "{name} may not do this: it is for the {roles}"
