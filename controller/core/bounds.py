"""How much is too much: every bound on what comes from a device, with its reason.

No bound is ever met by a table at work, and each is met long before a disk or a memory is full.

What works is slow. A card is drawn by hand: the busiest table (blackjack, seven seats) draws thirty in a minute and its
shoe says no more of a round than those, a result and a stand-by; a dealer presses four keys a round. An Angel Eye sends
24 bytes of a telegram (three times eight), a Bee-Tek about as many of a line.
"""

BURST = 600  # telegrams at once: an eight-deck shoe (416 cards) run through its reader, and what it has to say of it
STEADY = 1.0  # telegrams a second, from then on: twice what the busiest table has; 86,400 a day are under 50 MB
TELEGRAM = 32  # bytes that are one telegram where nothing can be made of them: longer than any that is sent

MOST_LOOSE = 20  # cards without a place in one pause: hands are off the shoe then, a few slips and re-reads come
MOST_SHOES_DRAWN = 2  # full shoes of cards drawn while the shoe is changed: burnt in, tested, and that once again
MOST_WAITING = 256  # events while nothing can be recorded: then recorded one by one, within a second or two

NOTICES = 5  # lines of a log on one and the same thing; what more comes within this time is one line with its number
FOLDED_SECONDS = 60.0
