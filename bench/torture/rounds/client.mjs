import { randomInt } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout } from "node:timers/promises";
import { call } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";
import { subjectsOf } from "./subjects.mjs";

const POSITION = "x-session-position";

/** Each so many rounds of a client, the change is one of a long list. */
const LONG_EACH = 41;

/** Each kind of read has so many alternations in a row, of which each so many have a change by SQL. */
const [ALTERNATIONS, SQL_EACH] = [6, 3];

/** What may be wrong: with reads, with any answer, and with an answer to a change. */
const FAULTS = ["stale", "beyond the lag", "never written", "refused", "without a position"];

const ANSWERED = new Set([200, 201, 304, 404]);

const oneOf = (list) => list[randomInt(list.length)];

/** Changes things of its own at two processes in turn, and reads them, and those of others, at both. */
export class Client {
  /** How many reads there were of each kind, and what was wrong with some. */
  counts = { REST: 0, GraphQL: 0, unchanged: 0 };
  faults = Object.fromEntries(FAULTS.map((name) => [name, []]));
  slowest = 0;
  #urls;
  #headers;
  #maxLag;
  #sql;
  #agent = new Agent({ keepAlive: true });
  /** The last answer with a tag, by path. */
  #known = new Map();
  #rounds = 0;

  /** `urls` are those of the processes, and `maxLag` how far they may be behind, in milliseconds. */
  constructor(own, { urls, headers, maxLag, sql = undefined }) {
    this.#urls = urls;
    this.#headers = headers;
    this.#maxLag = maxLag;
    this.#sql = sql;
    this.subjects = subjectsOf(own);
  }

  /**
   * One change at a process, and what is read after it at both processes, all at once. `others` are the other clients.
   */
  async round(changing, others) {
    const number = (this.#rounds += 1);
    const isLong = number % LONG_EACH === 0;
    const kind = randomInt(this.subjects.often.length);
    const subject = isLong ? this.subjects.seldom : this.subjects.often[kind];
    const position = await this.#change(subject, changing);
    const stranger = oneOf(others).subjects.often[kind];
    const more = isLong
      ? []
      : [
          this.#read(subject, changing),
          this.#read(subject, 1 - changing, position),
          stranger.told.sent > 0 &&
            this.#read(stranger, randomInt(2), oneOf([position, undefined])),
        ];
    await Promise.all([
      this.#read(subject, changing),
      this.#read(subject, 1 - changing, position),
      this.#read(subject, 1 - changing),
      ...more,
    ]);
  }

  /** One change at a process, and what the other process shows at the end of the lag, if it is asked nothing before. */
  async quietRound(changing) {
    const subject = oneOf(this.subjects.often);
    await this.#change(subject, changing);
    await setTimeout(this.#maxLag + 1);
    await this.#read(subject, 1 - changing);
  }

  /** One change of the catalogue, at a process or by SQL, and one kind of read after it, at both processes in turn. */
  async alternation(round) {
    const changing = round % 2;
    const kinds = this.subjects.catalogue.flatMap((subject) =>
      subject.catalogue().map((read) => ({ subject, read })),
    );
    const { subject, read } = kinds[Math.floor(round / ALTERNATIONS) % kinds.length];
    if (round % SQL_EACH === 0) await this.#changeBySql(subject);
    else await this.#change(subject, changing);
    for (const process of [1, 0, 1, 0, 1, 0, 1].map((turn) => (changing + turn) % 2)) {
      await this.#judge(subject.told, read, process);
    }
  }

  close() {
    this.#agent.destroy();
  }

  /** Changes a thing, if need be repeatedly; resolves with what the answer says of its place. */
  async #change({ told, changes, note = undefined }, process) {
    const value = told.sent + 1;
    const sentAt = performance.now();
    told.sent = value;
    let answer;
    do answer = await this.#ask(process, oneOf(changes(value)));
    while (answer.body === undefined);
    told.acknowledge(process);
    note?.(value, answer.body);
    const text = answer.headers[POSITION];
    // Without replicas, nothing lags, and there are no positions.
    if (text === undefined && this.#maxLag > 0) {
      this.faults["without a position"].push(`${answer.status}`);
    }
    return { text, sentAt, told, value };
  }

  async #changeBySql({ told, statement }) {
    told.sent += 1;
    await this.#sql(...statement(told.sent));
    told.acknowledge(undefined);
  }

  /** Reads a thing, and judges what is shown; an answer with a tag is asked for once more. */
  async #read({ told, reads }, process, position) {
    const read = oneOf(reads());
    const isRepeated = await this.#judge(told, read, process, position);
    if (isRepeated) await this.#judge(told, read, process, position);
  }

  /** Resolves with whether the answer has a tag. */
  async #judge(told, { show, most = Infinity, ...request }, process, position = undefined) {
    const due = told.due({ process, position, maxLag: this.#maxLag });
    const { status, headers, body } = await this.#ask(process, request, position?.text);
    this.counts[request.method === undefined ? "REST" : "GraphQL"] += 1;
    if (status === 304) this.counts.unchanged += 1;
    if (body === undefined) return false;
    const shown = show(body);
    const text = `${request.path} ${request.json?.query ?? ""} at ${process}: ${shown} of ${JSON.stringify(due)}, ${status}`;
    if (shown < Math.min(due.own, most)) this.faults.stale.push(text);
    else if (shown < Math.min(due.others, most)) this.faults["beyond the lag"].push(text);
    else if (!(shown <= told.sent)) this.faults["never written"].push(text);
    return headers.etag !== undefined;
  }

  /** Sends a request, often with the tag of an earlier answer; resolves with the body, also if it is unchanged. */
  async #ask(process, request, position) {
    const { path, method } = request;
    const known = method === undefined && randomInt(3) > 0 ? this.#known.get(path) : undefined;
    const answer = await call(this.#urls[process], {
      ...request,
      agent: this.#agent,
      headers: {
        ...this.#headers,
        ...(position !== undefined && { [POSITION]: position }),
        ...(known && { "if-none-match": known.tag }),
      },
    });
    const { status, headers } = answer;
    this.slowest = Math.max(this.slowest, answer.ms);
    if (status === 304) return { status, headers, body: known.body };
    const body = ANSWERED.has(status) ? JSON.parse(answer.text) : undefined;
    if (body === undefined || body.errors) {
      const text = `${headers["x-request-id"]}: ${method ?? "GET"} ${path}: ${status || answer.error}`;
      this.faults.refused.push(`${text} ${Math.round(answer.ms)} ms ${answer.text}`);
      return { status, headers };
    }
    if (headers.etag !== undefined) this.#known.set(path, { tag: headers.etag, body });
    return { status, headers, body };
  }
}

/** What was wrong with the answers to some clients, some of it in full. */
export function faultFindings(clients) {
  const sum = (name) => clients.reduce((all, { counts }) => all + counts[name], 0);
  return [
    seen(`reads: REST ${sum("REST")}, GraphQL ${sum("GraphQL")}, of them 304 ${sum("unchanged")}`),
    ...FAULTS.map((name) => {
      const texts = clients.flatMap(({ faults }) => faults[name]);
      const some = texts.slice(0, 10).map((text) => `\n      ${text}`);
      return seen(`${name} ${texts.length}${some.join("")}`, texts.length === 0);
    }),
    seen(`slowest answer ${duration(Math.max(...clients.map(({ slowest }) => slowest)))}`),
  ];
}
