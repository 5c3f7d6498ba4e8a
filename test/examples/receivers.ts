import type { ReceiverOptions } from "../../examples/receiver/answer";
import type { plainReceiver } from "../../examples/receiver/plain";
import { receiver } from "../../examples/receiver/receiver";
import { bodyOf, newSecret, serve, signed, type Sent } from "./signed";

export const secret = newSecret();

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Made = ReturnType<typeof receiver> | ReturnType<typeof plainReceiver>;

/** Starts a receiver, and returns what sends it a request and answers with the status. */
export async function start(
  handle: ReceiverOptions["handle"],
  make: (options: ReceiverOptions) => Made = receiver,
) {
  const errors: unknown[] = [];
  const app = make({ secret, handle, report: (error) => errors.push(error) });
  const { url, close } = await serve(app);
  closing.push(close);
  const post = async (init: RequestInit): Promise<number> => (await fetch(url, init)).status;
  const send = (sent: Partial<Sent>): Promise<number> => post(signed({ secret, ...sent }));
  return { url, errors, post, send };
}

/** A promise that is resolved by hand. */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** An event of order 7. */
export const order = (version: number, data: object = {}): string =>
  bodyOf("order.updated", { id: 7, version, changed: ["status"], ...data });
