"""Faults planted in copies of Three Card Poker, and the sentence with which `check_game` reports each."""

from collections.abc import Mapping

from .game_copies import NAME, GamePlant

HANDS = '    player, dealer = Hand("player"), Hand("dealer")\n'
RESULT = "    return result(player.cards, dealer.cards if played else None, decisions)\n"
ONCE = 'def paid(result: Result, stake: Stake) -> Fraction:\n    """Once."""\n'
PAY = "def pay(result: Result, stake: Stake) -> Fraction:\n"
ANOTHER_ROUND = "expected the same steps and outcome while another round is dealt (a table looks ahead), got "
NONE_IN_MODULE = "make every Hand, list and count within the procedure, none in the module"
KNOWS_ALONE = f"expected a sheet that uses only the cards and decisions, {NAME}.py:"
PAYS_ELSE = "expected the table to pay "
CORRECT_COUNT = "correct the function that counts, the procedure or pay"
CORRECT_PUBLISHED = "correct the procedure, the pay table that `pay` reads, or the market's `published`"
HIDDEN = "expected an outcome that does not depend on cards which were never turned over, it does"
KEPT = "leave such cards out of the outcome, or name the field in its `kept`"
BY_OUTCOME = "have pay use only the outcome and the Stake"

PLANTS: Mapping[str, GamePlant] = {
    "a Hand of the module, cleared at each start": GamePlant(
        [
            ("def play(rules", 'PLAYER, DEALER = Hand("player"), Hand("dealer")\n\n\ndef play(rules'),
            (HANDS, "    player, dealer = PLAYER, DEALER\n    player.cards.clear()\n    dealer.cards.clear()\n"),
        ],
        ANOTHER_ROUND,
        NONE_IN_MODULE,
    ),
    "a Hand of the module, never cleared": GamePlant(
        [
            ("def play(rules", 'PLAYER, DEALER = Hand("player"), Hand("dealer")\n\n\ndef play(rules'),
            (HANDS, "    player, dealer = PLAYER, DEALER\n"),
            (RESULT, "    return result(player.cards[-3:], dealer.cards[:3] if played else None, decisions)\n"),
        ],
        ANOTHER_ROUND,
        NONE_IN_MODULE,
    ),
    "the day of the week turns the order of dealing": GamePlant(
        [
            ("from typing import Any", "from datetime import date\nfrom typing import Any"),
            ('if rules.deal_order == "hands"', 'if date.today().weekday() < 7 or rules.deal_order == "hands"'),
        ],
        KNOWS_ALONE,
        "leave it out",
    ),
    "chance in the procedure, once in a thousand rounds": GamePlant(
        [
            ("from typing import Any", "from random import randrange\nfrom typing import Any"),
            (
                "    decisions: dict[str, str] = {}\n    if",
                "    decisions: dict[str, str] = {}\n    randrange(1000)\n    if",
            ),
        ],
        KNOWS_ALONE,
        "leave it out",
    ),
    "published figures swapped between markets": GamePlant(
        [
            ('Market("ante", published=Fraction("96.63"))', 'Market("ante", published=Fraction("97.68"))'),
            ('Market("pair_plus", published=Fraction("97.68"))', 'Market("pair_plus", published=Fraction("96.63"))'),
        ],
        "expected the published return of ante to be the counted one, ante is published with 97.68 %, "
        "and counted 96.62",
        CORRECT_PUBLISHED,
    ),
    "a pair pays more than the highest that is named": GamePlant(
        [('"pair_plus": (1 + Fraction(max(PAIR_PLUS.values())),)', '"pair_plus": (Fraction(3, 2),)')],
        "expected pair_plus to return no more than 3/2 (GAME.highest), pay returned 2",
        "write into highest the most that pay returns for pair_plus: exposures are computed from it",
    ),
    "pay tables swapped between markets": GamePlant(
        [
            (
                PAY,
                (
                    f'{PAY}    other = {{"ante": "pair_plus", "pair_plus": "ante"}}.get(stake.market, "play")\n'
                    "    stake = Stake(stake.player, other)\n"
                ),
            ),
        ],
        f"{PAYS_ELSE}pair_plus as the simulation does, in this round it pays 0.00 for each unit staked, and the "
        "simulation 2.00",
        BY_OUTCOME,
    ),
    "a line of the pay table off by one": GamePlant(
        [('"Straight": 6, "Flush": 4', '"Straight": 5, "Flush": 4')],
        "expected the published return of pair_plus to be the counted one, pair_plus is published with 97.68 %, and "
        "counted 94.42",
        CORRECT_PUBLISHED,
        counts=True,
    ),
    "a push paid as a win": GamePlant(
        [('"push": PUSH', '"push": EVEN')],
        "expected the published return of ante to be the counted one, ante is published with 96.63 %, and counted 96.",
        CORRECT_PUBLISHED,
        counts=True,
    ),
    "payments doubled": GamePlant(
        [(PAY, f"{PAY}    return 2 * paid(result, stake)\n\n\n{ONCE}")],
        "expected the figures of ante to agree, ante is counted 96.63 %, and 12000 simulated rounds give ",
        CORRECT_COUNT,
    ),
    "a published figure from another pay table": GamePlant(
        [('"pair_plus", published=Fraction("97.68")', '"pair_plus", published=Fraction("92.72")')],
        "expected the published return of pair_plus to be the counted one, pair_plus is published with 92.72 %, and "
        "counted 97.6833 %",
        CORRECT_PUBLISHED,
    ),
    "a count that forgets what follows the ante": GamePlant(
        [
            (
                '        Exact(market="ante", returned=ante, over=over),\n',
                '        Exact(market="ante", returned=ante / 2, over=over),\n',
            ),
            ('Market("ante", published=Fraction("96.63"))', 'Market("ante")'),
        ],
        "expected the figures of ante to agree, ante is counted 48.31 %, and 12000 simulated rounds give ",
        CORRECT_COUNT,
        counts=True,
    ),
    "a result that names the hidden hand of the dealer": GamePlant(
        [
            (
                '        return Phrase("Nobody played")\n',
                '        return Phrase("{hand}", {"hand": hands["dealer"]})\n',
            ),
            (
                "        return Result(None, None, None, decisions, hand_name(ours))\n",
                "        return Result(None, hand_name(theirs), None, decisions, hand_name(ours))\n",
            ),
            ("    if theirs is None:\n", '    if "play" not in decisions.values():\n'),
            (RESULT, "    return result(player.cards, dealer.cards, decisions)\n"),
        ],
        HIDDEN,
        KEPT,
    ),
    "a winner by cards that were never turned over": GamePlant(
        [(RESULT, "    return result(player.cards, dealer.cards, decisions)\n")],
        HIDDEN,
        KEPT,
    ),
    "a payment by cards that were never turned over": GamePlant(
        [
            (
                "    player: str\n\n\ndef play",
                '    player: str\n    down: str = ""\n    kept: ClassVar = ("down",)\n\n\ndef play',
            ),
            ("from typing import Any, Literal", "from typing import Any, ClassVar, Literal"),
            (
                RESULT,
                (
                    "    came = result(player.cards, dealer.cards if played else None, decisions)\n"
                    "    fields = (came.qualified, came.dealer, came.winner, decisions, came.player)\n"
                    "    return Result(*fields, dealer.cards[0])\n"
                ),
            ),
            (
                '    if result.decisions.get(stake.player) != "play":\n',
                (
                    '    if result.winner is None and result.down.startswith("2"):\n        return PUSH\n'
                    '    if result.decisions.get(stake.player) != "play":\n'
                ),
            ),
        ],
        "expected the same return of ante whatever lies face down, got ",
        "have pay use only cards that were turned over",
    ),
    "the dealer's hand turned over before it is dealt": GamePlant(
        [
            ("    for hand in (player,)", "    yield from reveal(dealer)\n    for hand in (player,)"),
        ],
        "expected a face-down card at dealer when it is turned over, there is none",
        "deal it with face_up=False, or leave the reveal out",
    ),
    "a question about a hand that is not dealt yet": GamePlant(
        [
            (
                "    for hand in (player,)",
                (
                    '    yield from ask(participants.players, "play" if player.cards[0][0] == "A" else "wait", "fold", '
                    'default="fold")\n    for hand in (player,)'
                ),
            )
        ],
        f"expected a procedure that begins with a step, it fails (IndexError in {NAME}.py, line ",
        "have it use only cards that have been dealt",
    ),
    "a straight with an ace below is none": GamePlant(
        [("        ranks = [3, 2, 1]  # an ace is low in a straight to three\n", "        pass\n")],
        "expected player to be 'Straight', as the oracle says; the outcome has 'High Card'",
        "correct the procedure where it finds player, or the oracle",
        judged=True,
    ),
    "the dealer qualifies one hand too late": GamePlant(
        [("strength(theirs) >= QUEEN_HIGH, strength(ours)", "strength(theirs) > QUEEN_HIGH, strength(ours)")],
        "expected qualified to be True, as the oracle says; the outcome has False",
        "correct the procedure where it finds qualified, or the oracle",
        judged=True,
        repeats=True,
    ),
    "the lower hand wins where both have a pair": GamePlant(
        [
            (
                "return (1, ranks[1], ranks[0] + ranks[2] - ranks[1])",
                "return (1, -ranks[1], ranks[0] + ranks[2] - ranks[1])",
            )
        ],
        "expected winner to be ",
        "correct the procedure where it finds winner, or the oracle",
        judged=True,
        repeats=True,
    ),
    "the stake that comes with a decision is forgotten": GamePlant(
        [('    follow_ons={"play": FollowOn("play", of="ante", times=Fraction(1))},\n', "")],
        "expected each of face.markets to be a market or to come with a decision, 'play' is none",
        "add its decision to follow_ons, with a FollowOn('play', ...)",
    ),
    "the stake comes with a decision that is never asked for": GamePlant(
        [('    follow_ons={"play": FollowOn(', '    follow_ons={"Play": FollowOn(')],
        "expected the decisions of follow_ons among fold, play, got 'Play'",
        "write into follow_ons the option as the procedure names it",
    ),
    "who bets on the side takes part, who bets the ante does not": GamePlant(
        [('joins="ante"', 'joins="pair_plus"')],
        f"{PAYS_ELSE}ante as the simulation does, in this round it pays ",
        BY_OUTCOME,
    ),
    "one player is paid better than others": GamePlant(
        [
            (
                PAY,
                f'{PAY}    if stake.player == "player" and "fold" in result.decisions.values():\n        return PUSH\n',
            )
        ],
        PAYS_ELSE,
        BY_OUTCOME,
    ),
    "every second payment is higher": GamePlant(
        [
            (
                PAY,
                f"PAID = [0]\n\n\n{PAY}    PAID[0] += 1\n    return paid(result, stake) + PAID[0] % 2\n\n\n{ONCE}",
            ),
        ],
        "expected pay to return the same each time it is asked, for ante it does not",
        BY_OUTCOME,
    ),
    "more than the shoe may hold is asked for": GamePlant(
        [("(player,) * 3 + (dealer,) * 3", "(player,) * 3 + (dealer,) * 60")],
        "expected every round to end, this one still asks for Deal(to='dealer', face_up=False) after 52 steps",
        "have the procedure return its outcome whatever cards come",
    ),
}
