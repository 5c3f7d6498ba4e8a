import timers from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { PasswordThreads } from "../../src/services/administrators/passwords";
import { eventually } from "../support/eventually";

let threads: PasswordThreads;
const jobs = jest.spyOn(Worker.prototype, "postMessage");
beforeEach(() => {
  threads = new PasswordThreads();
  jobs.mockClear();
});
afterEach(() => threads.close());
afterAll(() => jobs.mockRestore());

const hash = (cost = 4) => threads.hash("a password", cost);

/** The thread of each job, in order. */
const workers = () => jobs.mock.contexts as Worker[];

const hasEnded = ({ threadId }: Worker) => threadId === -1;

test("a thread that died while it was idle is replaced, so that logins go on", async () => {
  await hash();
  await workers()[0]!.terminate();
  await hash();
  expect(new Set(workers()).size).toBe(2);
});

test("a thread that dies of a job fails that one alone, and the idle ones are used again", async () => {
  await Promise.all([hash(), hash()]);
  await expect(hash("no cost" as never)).rejects.toThrow();
  await eventually(() => hasEnded(workers().at(-1)!));
  await hash();
  expect(new Set(workers()).size).toBe(2);
});

test("a thread keeps a command from ending only while it runs a job", async () => {
  // Node does not say what keeps a process alive, so the calls that decide about it are watched.
  const events: string[] = [];
  const watched = (["ref", "unref"] as const).map((name) =>
    jest.spyOn(Worker.prototype, name).mockImplementation(() => void events.push(name)),
  );
  await hash().finally(() => events.push("done"));
  for (const each of watched) each.mockRestore();
  expect(events).toEqual(["ref", "unref", "done"]);
});

test("a shop that is closed leaves no thread behind", async () => {
  await Promise.all([hash(), hash()]);
  await threads.close();
  expect(workers().map(hasEnded)).toEqual([true, true]);
});

test("beside a busy event loop a thread rests twice as long as its job took, so that requests get their turns", async () => {
  await hash();
  let wake: () => void = () => undefined;
  const rests = jest
    .spyOn(timers, "setTimeout")
    .mockImplementation(() => new Promise<never>((resolve) => (wake = resolve as () => void)));
  try {
    await hash(9);
    expect(rests).not.toHaveBeenCalled();
    const times = jest.spyOn(performance, "now");
    const hashed: string[] = [];
    void hash(9).then((each) => hashed.push(each));
    while (hashed.length === 0) await timers.setImmediate(); // the event loop never idles
    expect(rests.mock.calls).toEqual([[expect.any(Number), undefined, { ref: false }]]);
    const rest = rests.mock.calls[0]![0]!;
    expect(rest).toBeGreaterThan(0);
    const [started, ended] = times.mock.results.map(({ value }) => value as number);
    times.mockRestore();
    expect(rest).toBe(2 * (ended! - started!));
    const next = hash();
    await timers.setImmediate();
    expect(jobs).toHaveBeenCalledTimes(3);
    wake();
    await next;
    expect(jobs).toHaveBeenCalledTimes(4);
  } finally {
    rests.mockRestore();
  }
});
