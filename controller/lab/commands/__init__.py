"""Commands of the lab: `demo`, `emulate`, `rtp`, `bench`, `diagram` and `faults`."""
