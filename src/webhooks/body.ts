interface WebhookEvent {
  /** Such as `order.placed`. */
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A body has fewer bytes. */
const LIMIT = 20_000;

/** What a receiver needs to ask for the rest; never left out. */
const NEEDED = ["id", "version"];

/**
 * The text of a message: JSON with the event's `type`, `timestamp` and `data`. If it would be too long, the longest
 * members of the data are left out, and `data.omitted` names them.
 */
export function webhookBody({ type, at, data }: WebhookEvent): string {
  const bodyOf = (members: object): string =>
    JSON.stringify({ type, timestamp: at.toISOString(), data: members });
  const longestFirst = Object.entries(data)
    .filter(([name, value]) => !NEEDED.includes(name) && value !== undefined)
    .map(([name, value]) => ({ name, bytes: bytesOf(JSON.stringify({ [name]: value })) }))
    .sort((one, other) => other.bytes - one.bytes);
  let body = bodyOf(data);
  const omitted: string[] = [];
  for (const { name } of longestFirst) {
    if (bytesOf(body) < LIMIT) break;
    omitted.push(name);
    const left = Object.entries(data).filter(([each]) => !omitted.includes(each));
    body = bodyOf({ ...Object.fromEntries(left), omitted: omitted.toSorted() });
  }
  return body;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
