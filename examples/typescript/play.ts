// Needs Node 24.
/**
 * Players at a table: they bet when a round opens, think better of it, and decide what they are asked. All by dice.
 *
 * Usage: TABLECTL_TOKEN=... node play.ts http://127.0.0.1:8032 wallet.db [PLAYERS]
 *        TABLECTL_SEED=game.nk TABLECTL_TABLE=U... node play.ts nats://10.0.0.5:4222/main/t1 wallet.db [PLAYERS]
 *
 * Stopped and started again, whatever was on, it goes on where it was: it hears the round from its beginning, says the
 * same as before under the same ids (an event's number, and a number of its own), and the table does nothing twice.
 */

import { argv, env, exit } from "node:process";
import { type Command, type Event, Lost, Table, type Verdict, Wallet } from "./tablectl.ts";
import type { BusTable } from "./tablectl_nats.ts";

const TIMES = [1, 2, 5]; // of the least stake that is worth a decision
const LEAST = 500; // in minor units

type Line = Table | BusTable;
type Game = { seats: string[]; markets: { name: string; needs: string | null; minimum: number }[] };
type Said = { command: string; [field: string]: unknown };

/** Dice that fall the same again for the same event. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** One of so many (mulberry32). */
  #roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  }

  choice<One>(of: readonly One[]): One {
    return of[this.#roll(of.length)]!;
  }

  /** So many of them, in another order. */
  sample<One>(of: readonly One[], many: number): One[] {
    const rest = [...of];
    return Array.from({ length: many }, () => rest.splice(this.#roll(rest.length), 1)[0]!);
  }
}

/** So many players. What they say to an event hangs on it alone, so that they would say it again. */
class Players {
  #names: string[];
  #spots: Map<string, number>;
  #window: Event | undefined; // what opened the betting window that is on
  #asked: Event | undefined;

  constructor(number: number, game: Game) {
    this.#names = Array.from({ length: number }, (_, player) => `p${player + 1}`);
    this.#spots = new Map(spots(game));
  }

  /** What they say to an event: each command with an id of its own. */
  answer(event: Event): Command[] {
    return [...this.#commands(event)].map((said, number) => ({ id: `${event.seq}.${number + 1}`, ...said }));
  }

  *#commands(event: Event): Generator<Said> {
    const dice = new Dice(event.seq);
    if (event.kind === "asked") this.#asked = event;
    const resumed = event.kind === "resumed" ? event.state : undefined; // what came during the pause was refused
    const opens = event.kind === "opened" || event.kind === "window_opened";
    if (opens) this.#window = event;
    if (opens || resumed === "betting") yield* this.#bets(this.#window!, dice);
    if (event.kind === "asked" || resumed === "deciding") yield* this.#decisions(this.#asked!, dice);
  }

  /**
   * Everybody stakes, some take it back, some lose their line; then no more bets. All of it names its betting window,
   * so that what comes late acts in no other; a bet also the odds it is made at.
   */
  *#bets({ round, window, odds }: Event, dice: Dice): Generator<Said> {
    const markets = new Map<string, string>();
    for (const player of dice.sample(this.#names, this.#names.length)) {
      const [market, least] = dice.choice([...this.#spots]);
      markets.set(player, market);
      const named = market in odds ? { odds: odds[market] } : {};
      yield { command: "bet", round, window, player, market, stake: dice.choice(TIMES) * least, ...named };
    }
    for (const player of dice.sample(this.#names, Math.floor(this.#names.length / 20)))
      yield { command: "unbet", round, window, player, market: markets.get(player) };
    const gone = dice.sample(this.#names, Math.floor(this.#names.length / 50));
    for (const player of gone) yield { command: "gone", round, player };
    yield { command: "close", round, window };
    for (const player of gone) yield { command: "back", round, player };
  }

  *#decisions(asked: Event, dice: Dice): Generator<Said> {
    for (const who of asked.who)
      yield { command: "decide", question: asked.seq, who, decision: dice.choice(asked.options as string[]) };
  }
}

/** What can be staked on without another bet, each with its least stake: as it is, or at each seat. */
function* spots(game: Game): Generator<[string, number]> {
  for (const { name, needs, minimum } of game.markets) {
    if (needs !== null) continue;
    const named = game.seats.length ? game.seats.map((seat) => `${seat} ${name}`) : [name];
    for (const spot of named) yield [spot, Math.max(minimum, LEAST)];
  }
}

/** What came of the commands, in a line. */
function tell(verdicts: Verdict[]): void {
  const refused = verdicts.filter((verdict) => verdict.verdict === "refused");
  const first = refused.slice(0, 3).map((verdict) => `${verdict.id} ${verdict.reason}`);
  console.log(verdicts.length - refused.length, "done;", refused.length, "refused:", first.join(", "));
}

/** The line to the table: by the bus where the address is one of NATS, whose package is needed only there. */
async function tableAt(url: string): Promise<Line> {
  if (url.startsWith("http")) return new Table(url, env.TABLECTL_TOKEN!);
  const { BusTable } = await import("./tablectl_nats.ts");
  return new BusTable(url, env.TABLECTL_SEED!, env.TABLECTL_TABLE!);
}

/** Until the table closes. What does not count after a takeover is undone. */
async function play(table: Line, wallet: Wallet, number: number): Promise<void> {
  const players = new Players(number, (await table.look("game")) as Game);
  for (;;) {
    try {
      return await follow(table, wallet, players);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      console.log(error.message);
      wallet.undo(error.last);
    }
  }
}

/** Hear every event, and answer, until the table closes. Throws Lost. */
async function follow(table: Line, wallet: Wallet, players: Players): Promise<void> {
  for await (const event of table.events(wallet.place, wallet.epoch)) {
    wallet.hear(event);
    const commands = players.answer(event);
    if (commands.length) tell(await table.send(commands));
    if (event.kind === "table_closed") return;
  }
}

const [url, path, number] = argv.slice(2);
if (!url || !path || !(env.TABLECTL_TOKEN || env.TABLECTL_SEED)) {
  console.error("usage: TABLECTL_TOKEN=... node play.ts http://127.0.0.1:8032 wallet.db [PLAYERS]");
  exit(1);
}
await play(await tableAt(url), new Wallet(path), Number(number ?? 5));
exit(); // a line to the bus would stay
