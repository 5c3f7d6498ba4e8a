/** What a JSON file has under a name: a value, or a list that comes a batch at a time. */
type Member = object | string | null | AsyncIterable<readonly object[]>;

const isList = (member: Member): member is AsyncIterable<readonly object[]> =>
  typeof member === "object" && member !== null && Symbol.asyncIterator in member;

/** The text of a file with one JSON object. Each entry of a list has a line of its own. */
export async function* jsonText(members: Readonly<Record<string, Member>>): AsyncGenerator<string> {
  let separator = "{";
  for (const [name, member] of Object.entries(members)) {
    yield `${separator}\n  ${JSON.stringify(name)}: `;
    if (isList(member)) yield* listText(member);
    else yield JSON.stringify(member);
    separator = ",";
  }
  yield "\n}\n";
}

async function* listText(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const entries of batches) {
    for (const entry of entries) {
      yield `${separator}\n    ${JSON.stringify(entry)}`;
      separator = ",";
    }
  }
  yield separator === "[" ? "[]" : "\n  ]";
}
