import { Kind, parse } from "graphql";

/**
 * The name of the operation that runs. GraphiQL learns a moment late how an operation is named that has just
 * been written; the only one of a document is meant whatever it knows.
 */
export function nameToRun(query: string, known: string | undefined): string | undefined {
  const names = namesIn(query);
  return names.length === 1 ? names[0] : known;
}

function namesIn(query: string): (string | undefined)[] {
  try {
    return parse(query).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value] : [],
    );
  } catch {
    return [];
  }
}
