"""Page of one round as one HTML document: cards, reasons with their clauses, bets, events; one sheet of A4.

Invariant: with `only`, it names no other player, shows no other bet, and no sum over bets.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from ...config.shifts import local
from ...core.clock import Time, from_text
from ...core.hands import hands, settled_hands
from ...core.spot import Spot
from ...games import GAMES
from ...reports.round_sheet import RoundSheet
from ...reports.sheet_bets import SheetBet
from ...rules.face import DrawReason, RuleReason
from ...text.faults import Words
from ...text.money import money
from ...text.naming import market_name, phrase, place_name, title
from ...text.results import NO_CARDS, Lying, with_ranks
from ...text.table_words import TableWords
from . import round_texts as t
from .report_page import style as report_style
from .revisions import RevisionInWords, describe_outcome, revisions
from .round_felt import cards_before_corrections, cloth, sign

STYLE = Path(__file__).parents[1] / "pages" / "round.css"
MOST_BETS, IN_SIGHT = 24, 12  # bets on a page of A4; links to players that are not folded away
SHOWN = frozenset({  # kinds of events on the page: none names a player or a bet
    "opened", "closed", "window_opened", "revealed", "drawn", "burnt", "carried", "voided", "faulted", "reported",
    "acknowledged", "escalated", "extended", "ruled", "ruling_refused", "resumed", "rewound", "restarted", "completed",
    "settled", "disputed", "disagreed", "cancelled",
})  # fmt: skip
HEAVY = frozenset({"faulted", "ruled", "burnt", "voided", "carried", "cancelled"})


class RoundView(Struct, frozen=True):
    """View of a round's page: table, time zone, language. `only`: number of the only shown player, from 1."""

    table: str
    zone: tzinfo
    language: str
    only: int | None = None


def round_page(sheet: RoundSheet, view: RoundView) -> str:
    """Compose the whole page. Raises IndexError if there is no such player."""
    page = _Page(sheet, view)
    parts = (page.head(), page.felt(), page.draws(), page.bets(), page.events(), page.resettlements())
    number = page.say(t.ROUND, number=sheet.story.round.round)
    return (
        f'<!doctype html><html lang="{view.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{number} · {escape(view.table)}</title><style>{style()}</style></head><body>"
        f'{page.links()}<main>{"".join(parts)}</main><script type="module" src="/static/print.js"></script>'
        "</body></html>\n"
    )


@cache
def style() -> str:
    """Style sheet of the page, which is part of it."""
    return report_style() + STYLE.read_text(encoding="utf-8")


class _Page:
    """Parts of one page."""

    def __init__(self, sheet: RoundSheet, view: RoundView) -> None:
        self._sheet, self._view, self._words = sheet, view, Words(view.language)
        self._table_words = TableWords(self._words)
        self._game = GAMES.get(sheet.story.round.game)
        as_dealt = None if sheet.story.resettled else sheet.state
        self._lying: Lying = NO_CARDS if as_dealt is None else settled_hands(as_dealt)
        self._player = None if view.only is None else sheet.story.players[view.only - 1]
        mine = (bet for bet in sheet.bets if self._player in (None, bet.player))
        self._bets: Sequence[SheetBet] = tuple(mine)

    def say(self, text: str, **blanks: object) -> str:
        """Fill in a text of the catalogue and escape it as HTML."""
        return escape(self._words.say(text).format(**blanks))

    def _hide_others(self, text: str) -> str:
        """Replace names of other players in a text, such as a typed reason, on a page for one player."""
        if self._player is None:
            return text
        others = sorted((one for one in self._sheet.story.players if one != self._player), key=len, reverse=True)
        names = "|".join(map(re.escape, others))
        return re.sub(rf"(?<!\w)({names})(?!\w)", self._words.say(t.ANOTHER), text, flags=re.I) if others else text

    def _clock(self, at: Time) -> str:
        return f"{local(at, self._view.zone):%H:%M:%S}"

    def _section(self, name: str, head: str, body: str) -> str:
        return f'<section class="{name}"><h2>{self.say(head)}</h2>{body}</section>' if body else ""

    def _table(self, names: Sequence[str], rows: Iterable[Sequence[str]], kinds: str) -> str:
        head = "".join(f'<th scope="col">{self.say(t.COLUMNS[name])}</th>' for name in names)
        body = "".join(f"<tr>{_cells(names, row)}</tr>" for row in rows)
        return f'<table class="{kinds}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'

    def links(self) -> str:
        """Links on the screen: print, all players, each player."""
        view, address = self._view, f"?lang={self._view.language}"
        links = [f'<button type="button" data-print>{self.say(t.PRINT)}</button>']
        if view.only is not None:
            return f'<nav>{links[0]}<a href="{escape(address)}">{self.say(t.ALL_BETS)}</a></nav>'
        for number, player in enumerate(self._sheet.story.players, start=1):
            where = escape(f"{address}&player={number}")
            links.append(f'<a href="{where}">{self.say(t.ONE_PLAYER, player=player)}</a>')
        if folded := links[IN_SIGHT + 1 :]:
            head = self.say(t.MORE_PLAYERS, count=len(folded))
            links[IN_SIGHT + 1 :] = [f"<details><summary>{head}</summary>{''.join(folded)}</details>"]
        return f"<nav>{''.join(links)}</nav>"

    def head(self) -> str:
        """Number, table, dealer, time and result of the round."""
        round_, view = self._sheet.story.round, self._view
        game = round_.game if self._game is None else self._words.say(title(self._game))
        opened = f"{local(from_text(round_.opened), view.zone):%Y-%m-%d %H:%M:%S %Z}"
        about = [self.say(t.TABLE_GAME, table=view.table, game=game), self.say(t.OPENED_AT, time=opened)]
        about += [self.say(t.DEALT_BY, dealer=round_.dealer)] if round_.dealer else []
        notes = [(round_.end == "live", t.LIVE), (round_.training, t.TRAINING), (round_.manual, t.BY_HAND)]
        marks = "".join(f"<b>{self.say(text)}</b>" for holds, text in notes if holds)
        only = f'<p class="only">{self.say(t.ONLY, player=self._player)}</p>' if self._player is not None else ""
        return (
            f'<header><h1>{self.say(t.ROUND, number=round_.round)}</h1><p class="when">{escape(self._result())}</p>'
            f"<p>{' · '.join(about)}</p>{only}{f'<p>{marks}</p>' if marks else ''}</header>"
        )

    def _result(self) -> str:
        round_ = self._sheet.story.round
        if round_.end == "live":
            return ""
        if round_.outcome is None:
            void = describe_outcome(None, round_.game, self._table_words)
            return (
                void
                if round_.why is None
                else f"{void} ({self._hide_others(self._table_words.void_reason(round_.why))})"
            )
        return describe_outcome(round_.outcome, round_.game, self._table_words, self._lying)

    # the cards

    def felt(self) -> str:
        """Cards as they lie, each place with its total and result."""
        state, game = self._sheet.state, self._game
        if state is None or game is None:
            return ""
        now = cloth(state, game, self._sheet.story.round, self._words)
        return self._section("lie", t.CARDS, now + cards_before_corrections(self._sheet.first, state, self._words))

    def draws(self) -> str:
        """Reason and clause of each card; cards of one reason are one row."""
        sheet = self._sheet
        if not sheet.draws or sheet.state is None:
            if sheet.story.round.end == "live" or self._game is None:
                return ""
            no_reasons = t.MOVED_CARDS if sheet.story.resettled else t.UNTOLD
            text = t.NO_REASONS if self._game.face.reasons is None else no_reasons
            return self._section("draws", t.DRAWS, f"<p>{self.say(text)}</p>")
        rows = [self._draw_row(reason, list(of)) for reason, of in groupby(sheet.draws, key=lambda one: one.reason)]
        return self._section("draws", t.DRAWS, self._table(("time", "cards", "reason", "clause"), rows, "draws"))

    def _draw_row(self, reason: RuleReason, of: Sequence[DrawReason]) -> tuple[str, str, str, str]:
        assert self._sheet.state is not None  # noqa: S101 - there are no reasons without cards
        lying, at = hands(self._sheet.state.round), self._sheet.drawn_at
        draws = [(one.place, lying[one.place][one.card - 1]) for one in of if one.card]
        times = [at[draw.number] for _, draw in draws if draw.number in at]
        cards = list[str]()
        for place in dict.fromkeys(one.place for one in of):
            mine = [draw for at_place, draw in draws if at_place == place]
            signs = " ".join(sign(None if draw.hidden else draw.card) for draw in mine)
            cards.append(f"{escape(place_name(place, self._words))} {signs or self.say(t.NO_CARD)}")
        text = escape(phrase(reason.said, self._words))
        return self._clock(min(times)) if times else "", "<br>".join(cards), text, escape(reason.clause)

    # the money

    def bets(self) -> str:
        """Each bet with stake, odds, result, and why."""
        if not self._bets:
            return self._section("bets", t.BETS, f"<p>{self.say(t.NO_BETS)}</p>")
        names = ("time", "player", "bet", "stake", "odds", "result", "returned", "reason", "clause")
        table = self._table(names, map(self._bet, self._bets[:MOST_BETS]), "bets")
        more = len(self._bets) - MOST_BETS
        return self._section(
            "bets", t.BETS, table + (f"<p>{self.say(t.MORE_BETS, count=more)}</p>" if more > 0 else "")
        )

    def _bet(self, bet: SheetBet) -> tuple[str, ...]:
        currency, reason = self._sheet.currency, self._sheet.reasons.get(bet.id)
        returned = bet.stake if bet.end in ("withdrawn", "refunded") else bet.returned
        payout = "" if returned is None else money(returned, currency)
        if bet.first is not None:
            payout += f"<br><small>{self.say(t.WAS, amount=money(bet.first, currency))}</small>"
        market, why = bet.market, ""
        if self._game is not None:
            market = market_name(self._game, Spot.parse(bet.market), self._words)
            said_why = None if reason is None else with_ranks(reason.said, self._game, self._lying)
            why = "" if said_why is None else escape(phrase(said_why, self._words))
        if bet.capped is not None:
            was, to = (money(amount, currency) for amount in bet.capped)
            why += f"<br>{self.say(t.CEILING, was=was, to=to)}"
        return (
            self._clock(bet.at), escape(bet.player), f"{escape(market)}<br><small>{escape(bet.id)}</small>",
            money(bet.stake, currency), escape(bet.odds or ""), self.say(t.RESULTS[_result_of(bet)]), payout, why,
            "" if reason is None else escape(reason.clause),
        )  # fmt: skip

    # what happened

    def events(self) -> str:
        """Times of day of the round, with faults and rulings."""
        lines = [line for line in self._sheet.story.lines if line.kind in SHOWN]
        rows = "".join(
            f"<li{' data-heavy' if line.kind in HEAVY else ''}><time>{self._clock(from_text(line.at))}</time>"
            f"<span>{escape(self._hide_others(line.text))}</span></li>"
            for line in lines
        )
        return self._section("events", t.EVENTS, f"<ol>{rows}</ol>" if rows else "")

    def resettlements(self) -> str:
        """Resettlements: who, why, which corrections, the result before and after."""
        story = self._sheet.story
        entries = revisions(story.resettled, story.round.game, self._table_words)
        return self._section("anew", t.ANEW, "".join(f"<p>{'<br>'.join(self._lines_of(one))}</p>" for one in entries))

    def _lines_of(self, one: RevisionInWords) -> Iterator[str]:
        at = local(from_text(one.at), self._view.zone)
        yield f"<b>{at:%Y-%m-%d %H:%M:%S}</b> {escape(one.was)} → <b>{escape(one.now)}</b>"
        if one.corrections:
            yield self.say(t.CORRECTED, corrections=", ".join(one.corrections))
        yield self.say(t.BY_TWO, by=one.by, second=one.second, because=self._hide_others(one.because))


def _cells(names: Sequence[str], row: Sequence[str]) -> str:
    return "".join(f'<td class="{name}">{cell}</td>' for name, cell in zip(names, row, strict=True))


def _result_of(bet: SheetBet) -> str:
    if bet.returned is None:
        return bet.end
    if not bet.returned:
        return "lost"
    return "won" if bet.returned > bet.stake else "back" if bet.returned == bet.stake else "part"
