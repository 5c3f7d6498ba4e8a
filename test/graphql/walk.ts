/** Part of a connection. */
export interface Connection<Id = number> {
  readonly edges: { readonly cursor: string; readonly node: { readonly id: Id } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

/** What a part tells of itself, and the ids of its entries. */
export const PART = `edges { cursor node { id } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount`;

export const idsOf = <Id>({ edges }: Connection<Id>): Id[] => edges.map(({ node }) => node.id);

/**
 * All parts of a connection from its beginning, or from its end, in the order in which they were read. Fails
 * where it would walk for ever.
 */
export async function walk<Id>(
  size: number,
  way: "forwards" | "backwards",
  readPart: (request: object) => Promise<Connection<Id>>,
): Promise<Connection<Id>[]> {
  const parts: Connection<Id>[] = [];
  for (let cursor: string | null = null; ;) {
    const request =
      way === "forwards" ? { first: size, after: cursor } : { last: size, before: cursor };
    const next = await readPart(request);
    parts.push(next);
    const { pageInfo } = next;
    const goesOn = way === "forwards" ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
    if (!goesOn) return parts;
    const reached: string | null = way === "forwards" ? pageInfo.endCursor : pageInfo.startCursor;
    if (reached === cursor) throw new Error(`The part beside ${cursor} ends where it begins`);
    cursor = reached;
  }
}
