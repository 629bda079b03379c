// Needs Node 24 and nothing else.
/**
 * The line between a game server and one table: every event once and in order, every command done once.
 *
 * Take this module home as it is; `play.ts` beside it shows it at work.
 *
 *     const table = new Table("http://127.0.0.1:8032", token);
 *     for await (const event of table.events(0)) {
 *       const verdicts = await table.send([{ command: "bet", id: "57.1", round: 12, window: 1, ... }]);
 *     }
 *
 * Events have numbers without a gap (`seq`), and who comes back with the last one they have misses nothing. A command
 * has an id of the sender's own: sent again under it, it is answered as the first time and not done again, so whatever
 * is not answered is simply sent again. Bets name their round and window, decisions their question: what comes too
 * late is refused and never counts for the next one.
 */

import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

export type Movement = { id: string; amount: number; currency: string };
export type Event = { seq: number; kind: string; movement?: Movement; [field: string]: any }; // by kind: see the document
export type Command = { command: string; id: string; [field: string]: unknown };
export type Verdict = { id: string; verdict: "done" | "refused"; reason?: string; says?: string; records?: Event[] };

const PAUSE = 50; // milliseconds before something is tried again: twice as long each time
const LONGEST_PAUSE = 2_000;
const SILENCE = 40_000; // after which a line is given up; a stream that lives says so every 15 s
const AGAIN = [408, 429]; // what is answered so may be asked again, as may all from 500 on

/** What a movement of money is, by the kind of its event: which field says how much. A credit of a lost bet is 0. */
const DEBITS: Record<string, string> = { bet_accepted: "stake", decided: "stake" };
const CREDITS: Record<string, string> = { paid: "returned", bet_withdrawn: "stake", refunded: "stake" };

/** The table does not answer this, however often it is asked: a wrong token, a place beyond the record's end. */
export class Refused extends Error {}

/** The table went on without records that were heard. `last`: the last one that counts. */
export class Lost extends Error {
  last: number;

  constructor(last: number) {
    super(`records after ${last} do not count`);
    this.last = last;
  }
}

/** The table's mistake: an event is missing, or came twice. */
export class Gap extends Error {}

/** The table's mistake: a movement that comes twice with another content, or a credit without its debit. */
export class Unsound extends Error {}

/** The table cannot be reached or cannot answer now. `pause`: when it may be asked again, where it says so. */
export class Busy extends Error {
  pause: number | undefined;

  constructor(message: string, pause?: number) {
    super(message);
    this.pause = pause;
  }
}

/** How long to wait before the next try. */
export class Patience {
  #pause = PAUSE;

  /** As long as the table says, or longer each time. What is no trouble of the line is thrown on. */
  async wait(error: unknown): Promise<void> {
    if (!(error instanceof Busy)) throw error;
    console.warn(`no answer, asking again: ${error.message}`);
    await sleep(error.pause ?? this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }
}

/** One table, by its address and the token that `tablectl token add` has printed. */
export class Table {
  #url: string;
  #token: string;

  constructor(url: string, token: string) {
    this.#url = new URL("/api/v1", url).href;
    this.#token = token;
  }

  /**
   * Every event behind that one, for ever. Where the line breaks it goes on after the last that came whole. `epoch`: that
   * of the last event heard, where one was. Throws Lost: undo what was booked, and ask again.
   */
  async *events(after: number, epoch = ""): AsyncGenerator<Event, never> {
    let patience = new Patience();
    for (;;) {
      try {
        for await (const event of this.#stream(after, epoch)) {
          if (event.seq !== after + 1) throw new Gap(`after event ${after} came ${event.seq}`);
          after = event.seq;
          epoch = epochOf(event, epoch);
          patience = new Patience();
          yield event;
        }
        throw new Busy("the stream has ended");
      } catch (error) {
        await patience.wait(error);
      }
    }
  }

  /** What one connection brings. */
  #stream(after: number, epoch: string): AsyncGenerator<Event> {
    const of = epoch && `?epoch=${encodeURIComponent(epoch)}`;
    return sent(this.#get(`events${of}`, { headers: { "Last-Event-ID": String(after) } }));
  }

  /** The verdict on each, in their order: done, or refused with a reason. */
  async send(commands: Command[]): Promise<Verdict[]> {
    const asking = { method: "POST", body: JSON.stringify(commands) };
    return (await this.#ask<{ verdicts: Verdict[] }>("commands", asking)).verdicts;
  }

  /** `state`: where the table stands; `game`: which rules run, and what can be bet and decided. */
  async look(what: "state" | "game"): Promise<Record<string, unknown>> {
    return this.#ask(what);
  }

  /** The answer, asked for until it comes. */
  async #ask<Answer>(path: string, asking: RequestInit = {}): Promise<Answer> {
    const patience = new Patience();
    for (;;) {
      try {
        let text = "";
        for await (const part of this.#get(path, asking)) text += part;
        return JSON.parse(text) as Answer;
      } catch (error) {
        await patience.wait(error);
      }
    }
  }

  /** What is answered, as it comes. Throws Busy for what breaks the line, its silence too, and Refused. */
  async *#get(path: string, asking: RequestInit): AsyncGenerator<string> {
    const line = new AbortController();
    const silent = setTimeout(() => line.abort(), SILENCE);
    const headers = { ...asking.headers, Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" };
    try {
      const response = await fetch(`${this.#url}/${path}`, { ...asking, headers, signal: line.signal });
      if (!response.ok) throw refusal(response.status, await response.text(), response.headers.get("Retry-After"));
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
        silent.refresh();
        yield part;
      }
    } catch (error) {
      throw [Refused, Lost, Busy].some((kind) => error instanceof kind) ? error : new Busy(`${(error as Error).cause ?? error}`);
    } finally {
      clearTimeout(silent);
      line.abort();
    }
  }
}

/** The epoch that an event begins; else the one before it. */
export function epochOf(event: Event, before: string): string {
  return event.kind === "configured" || event.kind === "loss_accepted" ? (event.epoch as string) : before;
}

/** Busy for what may be asked again, Lost for what does not count, Refused for what would be answered the same. */
export function refusal(status: number, text: string, after?: string | null): Error {
  const says = `${status}: ${text}`;
  const problem = status === 409 ? JSON.parse(text) : {};
  if (problem.reason === "epoch_lost") return new Lost(problem.last);
  if (status < 500 && !AGAIN.includes(status)) return new Refused(says);
  const seconds = Number.parseInt(after ?? "", 10);
  return new Busy(says, Number.isNaN(seconds) ? undefined : seconds * 1000);
}

/** The events of a stream of server-sent events: a line `data: ...` and an empty line behind it. */
async function* sent(parts: AsyncIterable<string>): AsyncGenerator<Event> {
  let rest = "";
  for await (const part of parts) {
    const messages = (rest + part).split("\n\n");
    rest = messages.pop()!; // half a message at the very end was not said
    for (const message of messages) {
      const data = message.split("\n").find((line) => line.startsWith("data: "));
      if (data !== undefined) yield JSON.parse(data.slice("data: ".length)) as Event;
    }
  }
}

/**
 * The players' money, in minor units, on disk: each movement is booked once, whatever is heard twice.
 *
 * A movement's id is unique in the world: it is the key of the book. `place` is where the record is to be followed
 * from after a crash: the beginning of the round that was on. What had been booked of it is heard again, as no news.
 */
export class Wallet {
  #db: DatabaseSync;
  #staked = new Map<string, number>(); // the bets of this round of which nothing has come back yet
  #due = { bets: 0, amount: 0 }; // how many of them are to go back now, and how much in all

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;  -- what a power cut takes off the end is heard again
      CREATE TABLE IF NOT EXISTS movements
        (id TEXT PRIMARY KEY, seq INTEGER, player TEXT, amount INTEGER, currency TEXT) STRICT;
      CREATE TABLE IF NOT EXISTS place (seq INTEGER) STRICT;
      CREATE TABLE IF NOT EXISTS epochs (epoch TEXT) STRICT;
    `);
  }

  /** The last event that is done with for good. */
  get place(): number {
    return Number(this.#db.prepare("SELECT coalesce(max(seq), 0) AS seq FROM place").get()!.seq);
  }

  /** The epoch of what was heard last; empty before anything was. */
  get epoch(): string {
    return String(this.#db.prepare("SELECT epoch FROM epochs ORDER BY rowid DESC").get()?.epoch ?? "");
  }

  /** Take back what was booked after the last event that counts; what follows `place` is heard again. */
  undo(last: number): void {
    this.#takeBack(last);
    this.#staked.clear();
    this.#due = { bets: 0, amount: 0 };
  }

  /** Delete it. (A platform's wallet books it in reverse, under ids of its own.) */
  #takeBack(last: number): void {
    this.#db.prepare("DELETE FROM movements WHERE seq > ?").run(last);
    this.#db.prepare("DELETE FROM place WHERE seq > ?").run(last);
  }

  /** Book what an event moves. Throws Unsound. */
  hear(event: Event): void {
    const before = this.epoch;
    const epoch = epochOf(event, before);
    if (epoch !== before) this.#enter(epoch, event.seq);
    if (event.kind === "opened") this.#begin(event);
    if (event.kind === "rewound" || event.kind === "cancelled") this.#due = { bets: event.bets, amount: event.amount };
    if (event.movement) this.#move(event, event.movement);
    for (const one of event.kind === "resettled" ? event.movements : []) // a round that was over before
      this.#book([one.id, event.seq, one.player, one.difference, event.currency]);
  }

  /** An epoch begins: of the one before, what was booked from here on does not count. */
  #enter(epoch: string, first: number): void {
    this.#takeBack(first - 1);
    this.#db.prepare("INSERT INTO epochs VALUES (?)").run(epoch);
  }

  #begin(event: Event): void {
    const { bets, amount } = this.#due;
    const missing = [...this.#staked.keys()].join(", ");
    if (missing || bets || amount)
      throw new Unsound(`nothing came back for ${missing}; still to go back: (${bets}, ${amount})`);
    this.#db.prepare("INSERT INTO place VALUES (?)").run(event.seq - 1);
  }

  #move(event: Event, movement: Movement): void {
    const debit = event.kind in DEBITS;
    const told = event[(debit ? DEBITS : CREDITS)[event.kind]!];
    if (movement.amount !== told)
      throw new Unsound(`event ${event.seq}: the movement is ${movement.amount}, its event says ${told}`);
    if (debit) this.#staked.set(event.bet, movement.amount);
    else if (!this.#staked.delete(event.bet))
      throw new Unsound(`event ${event.seq}: a credit for ${event.bet}, which has none to come`);
    else this.#countDown(movement.amount);
    const amount = debit ? -movement.amount : movement.amount;
    this.#book([movement.id, event.seq, event.player, amount, movement.currency]);
  }

  /** Compare what goes back bet by bet with what was said to go back in all. */
  #countDown(credit: number): void {
    const { bets, amount } = this.#due;
    this.#due = bets ? { bets: bets - 1, amount: amount - credit } : this.#due;
    if (bets === 1 && credit !== amount)
      throw new Unsound(`of what was to go back in all ${amount} are left, and ${credit} is the last of it`);
  }

  /** Once. */
  #book(entry: [string, number, string, number, string]): void {
    if (this.#db.prepare("INSERT OR IGNORE INTO movements VALUES (?, ?, ?, ?, ?)").run(...entry).changes) return;
    const known = Object.values(this.#db.prepare("SELECT * FROM movements WHERE id = ?").get(entry[0])!);
    if (known.join() !== entry.join()) throw new Unsound(`two movements with one id: ${known} and ${entry}`);
  }
}
