// Messages of PostgreSQL's protocol (its documentation, section 54.7): a type, a length that includes itself, a body.

/** Collects the chunks of a connection. Returns the messages that are complete and were not returned before. */
export function messagesIn({ hasStartup = false } = {}): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0);
  let isStarted = !hasStartup;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      // The first messages have no type; those that ask for encryption come before the startup itself.
      const offset = isStarted ? 1 : 0;
      if (rest.length < offset + 4) return messages;
      const end = offset + rest.readInt32BE(offset);
      if (rest.length < end) return messages;
      const message = rest.subarray(0, end);
      if (!isStarted) isStarted = !ENCRYPTIONS.has(message.readInt32BE(4));
      messages.push(message);
      rest = rest.subarray(end);
    }
  };
}

/** Codes in the place of a protocol version: requests for encryption, by SSL and GSS. */
export const ENCRYPTIONS = new Set([80877103, 80877104]);

/** The code of a request to cancel a statement. */
export const CANCEL = 80877102;

export const typeOf = (message: Buffer): string => String.fromCharCode(message.readUInt8(0));

export const bodyOf = (message: Buffer): Buffer => message.subarray(5);

export function messageOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export const PARSE_COMPLETE = messageOf("1", Buffer.alloc(0));

/** The name of the statement in a client's Parse, Bind or Describe message; undefined for other messages. */
export function nameIn(message: Buffer): string | undefined {
  const place = placeOfName(message);
  return place && message.toString("utf8", ...place);
}

/** The same message with another name for its statement. */
export function named(message: Buffer, name: string): Buffer {
  const [start, end] = placeOfName(message)!;
  const parts = [message.subarray(5, start), Buffer.from(name), message.subarray(end)];
  return messageOf(typeOf(message), Buffer.concat(parts));
}

function placeOfName(message: Buffer): [start: number, end: number] | undefined {
  const type = typeOf(message);
  const isStatement = type === "D" && message.toString("utf8", 5, 6) === "S";
  if (type !== "P" && type !== "B" && !isStatement) return undefined;
  // Before the name, Bind has the name of a portal, and Describe the letter S.
  const start = type === "P" ? 5 : type === "B" ? message.indexOf(0, 5) + 1 : 6;
  return [start, message.indexOf(0, start)];
}
