// Needs Node 24.
/**
 * The same line between a game server and one table, over the studio's bus (NATS) instead of HTTP.
 *
 * Take it home beside `tablectl.ts`. It needs Node 24 and `@nats-io/transport-node`. The seed is NAME.nk of `tablectl bus
 * init`, with the platform's name; the key is the table's, in tables/TABLE.pub.
 *
 *     const table = new BusTable("nats://10.0.0.5:4222/main/t1", "game.nk", key);
 *     for await (const event of table.events(0)) {
 *       const verdicts = await table.send([{ command: "bet", id: "57.1", round: 12, window: 1, ... }]);
 *     }
 *
 * The place in the record is the client's own, as over HTTP. The client asks the table for the events behind it, page by
 * page until one is empty, and takes events from these signed answers alone. A message on the subject of the events has no
 * signature and may come late or never: it only says that it is time to ask. So no event overtakes another, whichever
 * program was killed.
 */

import { connect, headers, nkeyAuthenticator, nkeys } from "@nats-io/transport-node";
import type { Msg, MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { Busy, Gap, Patience, epochOf, refusal } from "./tablectl.ts";
import type { Command, Event, Verdict } from "./tablectl.ts";

const COMMANDS = "/api/v1/commands";
const AT_MOST = 500; // commands of one message: what is answered to them must fit into one as well
const ANSWER = 2_000; // milliseconds for an answer; then it is asked for again
const PRESENT = 1_000; // between two signed questions: by these a table knows that its game server is there

/** One table. `url`: SERVER/STUDIO/TABLE; `seed`: a file; `key`: the table's public nkey. */
export class BusTable {
  #server: string;
  #subject: string;
  #prefix: string; // where this platform may be answered, by table
  #inbox: string;
  #seed: Uint8Array;
  #key: string;
  #answers = new Map<string, (answer: Msg) => void>(); // by inbox
  #epoch = ""; // the table's, which each answer names: signatures are made for it
  #due = 0; // when the next question is to be signed
  #heard = () => {}; // to be called when an event is
  #nats: Promise<NatsConnection> | undefined;

  constructor(url: string, seed: string, key: string) {
    const [, scheme, host, studio, table] = /^(\w+):\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(url)!;
    this.#server = `${scheme}://${host}`;
    this.#subject = `tablectl.${studio}.${table}`;
    this.#prefix = `_INBOX_platform.${basename(seed, ".nk")}`;
    this.#inbox = `${this.#prefix}.${table}`;
    this.#seed = Buffer.from(readFileSync(seed, "ascii").trim());
    this.#key = key;
  }

  /** Connect, for ever again; the connection of all questions. */
  async #connect(): Promise<NatsConnection> {
    const nats = await connect({
      servers: this.#server,
      authenticator: nkeyAuthenticator(this.#seed),
      inboxPrefix: this.#prefix,
      pingInterval: 2_000,
      reconnectTimeWait: 200,
      maxReconnectAttempts: -1,
      waitOnFirstConnect: true,
      ...(this.#server.startsWith("tls:") ? { tls: {} } : {}),
    });
    nats.subscribe(`${this.#inbox}.>`, { callback: (_, answer) => this.#answers.get(answer.subject)?.(answer) });
    nats.subscribe(`${this.#subject}.event.server`, { callback: () => this.#heard() });
    return nats;
  }

  /** Every event behind that one, for ever, as `Table.events` has them. Throws Lost. */
  async *events(after: number, epoch = ""): AsyncGenerator<Event, never> {
    for (;;) {
      const news = new Promise<void>((resolve) => (this.#heard = resolve));
      const of = epoch && `&epoch=${encodeURIComponent(epoch)}`;
      const page = await this.#ask<Event[]>(`events?after=${after}${of}`);
      for (const event of page) {
        if (event.seq !== after + 1) throw new Gap(`after event ${after} came ${event.seq}`);
        after = event.seq;
        epoch = epochOf(event, epoch);
        yield event;
      }
      if (!page.length) await within(PRESENT, news);
    }
  }

  /** The verdict on each, in their order: done, or refused with a reason. */
  async send(commands: Command[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    for (let start = 0; start < commands.length; start += AT_MOST) {
      const body = JSON.stringify(commands.slice(start, start + AT_MOST));
      verdicts.push(...(await this.#get<{ verdicts: Verdict[] }>("command", body, COMMANDS)).verdicts);
    }
    return verdicts;
  }

  /** `state`: where the table stands; `game`: which rules run, and what can be bet and decided. */
  async look(what: "state" | "game"): Promise<Record<string, unknown>> {
    return this.#ask(what);
  }

  #ask<Answer>(path: string): Promise<Answer> {
    return this.#get("ask", `/api/v1/${path}`);
  }

  /** The answer, asked for until it comes. */
  async #get<Answer>(what: string, body: string, to = ""): Promise<Answer> {
    const patience = new Patience();
    for (;;) {
      try {
        const answer = await this.#request(what, body, to);
        this.#check(answer);
        return answer.json<Answer>();
      } catch (error) {
        await patience.wait(error);
      }
    }
  }

  /** One answer to one question; throws Busy. A command is signed, and a question now and then. */
  async #request(what: string, body: string, to: string): Promise<Msg> {
    const nats = await (this.#nats ??= this.#connect());
    const [subject, inbox] = [`${this.#subject}.${what}.platform`, `${this.#inbox}.${randomBytes(16).toString("hex")}`];
    const said = what === "command" || Date.now() >= this.#due ? this.#signed(subject, body, to) : headers();
    const answered = new Promise<Msg>((resolve) => this.#answers.set(inbox, resolve));
    nats.publish(subject, body, { reply: inbox, headers: said });
    const answer = await within(ANSWER, answered);
    this.#answers.delete(inbox);
    if (!answer) throw new Busy("no answer came");
    if (answer.headers?.code === 503) throw new Busy("the table is not on the bus");
    const asked = [subject, said.get("Tablectl-Nonce"), said.get("Tablectl-To"), body].join("\n");
    if (!this.#isSound(answer, createHash("sha256").update(asked).digest("hex")))
      throw new Busy("an answer that the table has not signed");
    return answer;
  }

  /** Headers by which the table knows whose this is; valid for one minute, once. */
  #signed(subject: string, body: string, to: string): MsgHdrs {
    this.#due = Date.now() + PRESENT;
    const pair = nkeys.fromSeed(this.#seed);
    const nonce = `${Date.now()}-${randomBytes(8).toString("hex")}`;
    const signature = pair.sign(Buffer.from([subject, this.#epoch, nonce, to, body].join("\n")));
    const made = headers();
    made.set("Tablectl-Key", pair.getPublicKey());
    made.set("Tablectl-Nonce", nonce);
    made.set("Tablectl-To", to);
    made.set("Tablectl-Signature", Buffer.from(signature).toString("base64"));
    return made;
  }

  /** Whether the table has signed it, as the answer to this. */
  #isSound(answer: Msg, asked: string): boolean {
    const [at, epoch, status, signature] = ["At", "Epoch", "Status", "Signature"].map(
      (name) => answer.headers?.get(`Tablectl-${name}`) ?? "",
    );
    const signed = Buffer.concat([Buffer.from([answer.subject, at, asked, epoch, status, ""].join("\n")), answer.data]);
    return nkeys.fromPublic(this.#key).verify(signed, Buffer.from(signature!, "base64"));
  }

  /** Throws Busy for what may be asked again, Lost for what does not count, Refused for the rest. */
  #check(answer: Msg): void {
    const status = Number(answer.headers!.get("Tablectl-Status"));
    const [before, epoch] = [this.#epoch, answer.headers!.get("Tablectl-Epoch")];
    this.#epoch = epoch;
    if (status === 200) return;
    if (status === 403 && epoch !== before) throw new Busy("signed for another epoch: to be signed anew");
    throw refusal(status, answer.string());
  }
}

/** What comes within so many milliseconds. */
async function within<Found>(milliseconds: number, coming: Promise<Found>): Promise<Found | undefined> {
  const over = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  return Promise.race([coming, late]).finally(() => over.abort());
}
