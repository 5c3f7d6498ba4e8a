import type { ListQuery } from "./data-provider";

/** A part of a list that the service gives by cursor. */
interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly endCursor?: string | null };
  readonly totalCount: number;
}

/** The cursor behind each page of each list that was read, by what was asked for. */
const ends = new Map<string, string[]>();

/** Reads a numbered page of a list that the service gives by cursor; an unknown cursor is found by reading on to it. */
export async function pageByCursor<Node>(
  name: string,
  { page, pageSize, filter }: ListQuery,
  read: (part: { first: number; after: string | null }) => Promise<Connection<Node>>,
): Promise<{ data: Node[]; total: number }> {
  const key = JSON.stringify([name, pageSize, filter]);
  const known = (ends.get(key) ?? []).slice(0, page - 1);
  for (;;) {
    const { edges, pageInfo, totalCount } = await read({
      first: pageSize,
      after: known.at(-1) ?? null,
    });
    if (known.length === page - 1) {
      return { data: edges.map(({ node }) => node), total: totalCount };
    }
    if (typeof pageInfo.endCursor !== "string") return { data: [], total: totalCount };
    known.push(pageInfo.endCursor);
    ends.set(key, known);
  }
}
