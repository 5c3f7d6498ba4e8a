import { request } from "node:http";
import { entries } from "../record/entries";
import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";
import { errorBody } from "../support/refusals";

jest.setTimeout(60_000);

const app = useApp();

const CSV = { "content-type": "text/csv" };
const JSONL = { "content-type": "application/x-ndjson" };
const HEAD = "type,slug,name,isActive,category,price,description";

const fileOf = (...products: readonly string[]): string =>
  [HEAD, "category,green,Green,true,,,", ...products, ""].join("\n");

const product = (slug: string, price: string): string =>
  `product,${slug},${slug},true,green,${price},`;

interface Line {
  readonly progress?: { readonly done: number; readonly total: number };
  readonly outcome?: {
    readonly badLines: { readonly total: number };
    readonly changes: readonly object[];
    readonly products: object;
    readonly catalogueVersion: string;
  };
  readonly error?: object;
}

async function send(
  query: string,
  body: RequestInit["body"],
  headers: Readonly<Record<string, string>> = CSV,
) {
  const response = await fetch(`${app.url}/admin/import?${query}`, {
    method: "POST",
    headers: { authorization: app.asAdmin, ...headers },
    body: body ?? null,
    ...(body instanceof ReadableStream && ({ duplex: "half" } as object)),
  });
  const text = await response.text();
  const lines = text.split("\n").filter((line) => line !== "");
  return { status: response.status, lines: lines.map((line) => JSON.parse(line) as Line) };
}

const outcomeOf = async (
  query: string,
  body: string,
  headers?: Readonly<Record<string, string>>,
) => {
  const { status, lines } = await send(query, body, headers);
  expect([status, lines.at(-1)]).toEqual([200, { outcome: expect.anything() }]);
  return lines.at(-1)!.outcome!;
};

const prices = async (): Promise<string[]> =>
  (await app.sql<{ price: string }>("SELECT price FROM products ORDER BY slug")).map(
    ({ price }) => price,
  );

beforeEach(() => app.sql("TRUNCATE categories, products CASCADE"));

clause("11.import", "a dry run tells what an import would change", async () => {
  await outcomeOf("dryRun=false", fileOf(product("assam", "3.00")));
  const file = fileOf(product("assam", "4.00"), product("sencha", "9.50"));
  const dry = await outcomeOf("dryRun=true", file);
  const expected = {
    badLines: { total: 0, first: [] },
    changes: [
      { type: "product", slug: "assam", fields: [{ field: "price", from: "3.00", to: "4.00" }] },
      { type: "product", slug: "sencha", fields: [] },
    ],
    categories: { created: 0, changed: 0, unchanged: 1 },
    products: { created: 1, changed: 1, unchanged: 0 },
    catalogueVersion: expect.stringMatching(/./),
  };
  expect(dry).toEqual(expected);
  expect(await prices()).toEqual(["3.00"]);
  const { lines } = await send(`dryRun=false&expectedCatalogue=${dry.catalogueVersion}`, file);
  expect(lines).toEqual([
    { progress: { done: 1, total: 2 } },
    { progress: { done: 2, total: 2 } },
    { outcome: expected },
  ]);
  expect(await prices()).toEqual(["4.00", "9.50"]);
  const [entry] = await entries(app, { operation: "import" });
  expect(entry).toMatchObject({ door: "REST", actor: expect.stringMatching(/^admin-/) });
});

clause("11.import", "JSON lines are taken as well, and a wrong line lets nothing in", async () => {
  const line = { type: "category", slug: "green", name: "Green", isActive: true };
  const wrong = `${JSON.stringify(line)}\n${JSON.stringify({ ...line, slug: "RED" })}\n`;
  expect((await outcomeOf("dryRun=false", wrong, JSONL)).badLines).toMatchObject({ total: 1 });
  expect(await app.sql("SELECT FROM categories")).toEqual([]);
  await outcomeOf("dryRun=false", JSON.stringify(line), JSONL);
  expect(await app.sql("SELECT FROM categories")).toHaveLength(1);
});

clauseEach<
  readonly [query: string, body: string, headers: Readonly<Record<string, string>>, refusal: object]
>(
  "11.import",
  "what can't be imported is refused",
  {
    "no dryRun": ["", HEAD, CSV, errorBody(400, ["dryRun must be true or false"])],
    "another media type": [
      ...(["dryRun=true", HEAD, { "content-type": "text/plain" }] as const),
      errorBody(
        415,
        "Content-Type must be text/csv or application/x-ndjson or application/jsonl in UTF-8",
      ),
    ],
    "an empty file": [
      ...(["dryRun=true", "", CSV] as const),
      errorBody(400, ["The file is empty: it lacks the line with the columns"]),
    ],
  },
  async ([query, body, headers, refusal]) => {
    const { status, lines } = await send(query, body, headers);
    expect([status, lines]).toEqual([(refusal as { statusCode: number }).statusCode, [refusal]]);
  },
);

clause("11.import", "the token comes before the body, of 50 MB at most", async () => {
  const blank = Buffer.alloc(1024 * 1024, " ");
  let sent = 0;
  const large = new ReadableStream({
    pull: (body) => ((sent += 1) <= 51 ? body.enqueue(blank) : body.close()),
  });
  const statusOf = (authorization: string, length?: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...CSV, authorization, ...(length && { "content-length": length }) };
      const path = "/admin/import?dryRun=true";
      const outgoing = request(
        `${app.url}${path}`,
        { method: "POST", headers },
        ({ statusCode }) => {
          resolve(statusCode);
          outgoing.destroy();
        },
      );
      outgoing.on("error", reject);
      outgoing.write(`${HEAD}\n`);
    });
  expect(await statusOf("")).toBe(401);
  expect(await statusOf(app.asAdmin, 50 * 1024 * 1024 + 1)).toBe(413);
  const { status } = await send("dryRun=true", large, JSONL).catch(() => ({ status: 413 }));
  expect(status).toBe(413);
});

clause("11.import.expected", "a catalogue that has changed since is a conflict", async () => {
  const file = fileOf(product("assam", "3.00"));
  const { catalogueVersion } = await outcomeOf("dryRun=true", file);
  await app.make.category();
  const { status, lines } = await send(
    `dryRun=false&expectedCatalogue=${encodeURIComponent(catalogueVersion)}`,
    file,
  );
  const message = "The catalogue has changed since the dry run; nothing was imported";
  expect([status, lines]).toEqual([409, [errorBody(409, message)]]);
  expect(await prices()).toEqual([]);
});

describe("an import that waits", () => {
  /** Begins an import that waits for a lock, and resolves with its client. */
  const begun = async () => {
    const outgoing = request(`${app.url}/admin/import?dryRun=false`, {
      ...{ method: "POST", headers: { ...CSV, authorization: app.asAdmin } },
    });
    const answer = new Promise<number | undefined>((resolve) => {
      outgoing
        .on("response", ({ statusCode }) => resolve(statusCode))
        .on("error", () => resolve(undefined));
    });
    outgoing.end(fileOf(product("assam", "3.00")));
    await eventually(async () => (await waitingForLocks(app)) > 0);
    return { outgoing, answer };
  };

  const importing = () =>
    app.sql("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7238003");

  clause("11.import", "is the only one", async () => {
    await besideLock(app, "LOCK TABLE products IN SHARE MODE", async (holder) => {
      const { answer } = await begun();
      const second = await send("dryRun=false", fileOf());
      expect([second.status, second.lines]).toEqual([
        409,
        [
          expect.objectContaining({
            message: expect.stringMatching(/^Another import is under way/),
          }),
        ],
      ]);
      await holder.query("COMMIT");
      expect(await answer).toBe(200);
    });
    await eventually(async () => (await importing()).length === 0);
  });

  clause("11.import.gone", "is given up with its client", async () => {
    await besideLock(app, "LOCK TABLE products IN SHARE MODE", async (holder) => {
      const { outgoing, answer } = await begun();
      outgoing.destroy();
      await answer;
      await eventually(async () => (await importing()).length === 0);
      await holder.query("COMMIT");
    });
    expect(await app.sql("SELECT FROM categories")).toEqual([]);
  });

  clause("11.import.gone", "for the rest of its file is given up, too", async () => {
    const outgoing = request(`${app.url}/admin/import?dryRun=false`, {
      ...{ method: "POST", headers: { ...CSV, authorization: app.asAdmin } },
    });
    outgoing.on("error", () => undefined).write(fileOf(product("assam", "3.00")));
    await eventually(async () => (await importing()).length === 1);
    outgoing.destroy();
    await eventually(async () => (await importing()).length === 0);
    expect(await app.sql("SELECT FROM categories")).toEqual([]);
    expect(app.log.filter((line) => line.includes("unexpected failure"))).toEqual([]);
  });
});
