import { once } from "node:events";
import type { Socket } from "node:net";
import { useApp, type Overrides, type TestApp } from "../support/app";
import { openSocket, send, type Answer } from "../support/raw-http";

/** Long lists in memory at one time, and waiting for it. */
export const AT_ONCE = 2;
export const WAITING = 16;

/** What an answer in chunks ends with. */
export const LAST_CHUNK = "\r\n0\r\n\r\n";

/** A shop with long lists: the products of categories. Only hooks and tests can use its members. */
interface LongLists {
  readonly app: TestApp;
  /** A category with more products than the system's buffers hold. */
  readonly large: number;
  /** A category with more products than are read before they are sent. */
  readonly huge: number;
  readonly list: (category: number, method?: string) => Promise<Answer>;
  /** New categories with lists that are long, though not large. */
  readonly longCategories: (count: number) => Promise<number[]>;
}

export function useLongLists(
  made: readonly ("large" | "huge")[],
  overrides: Overrides = {},
): LongLists {
  const app = useApp(overrides);
  const shop = {
    app,
    large: 0,
    huge: 0,
    list: (category: number, method = "GET") =>
      send(app.url, { method, path: `/products/category/${category}` }),
    longCategories: async (count: number) => {
      const ids: number[] = [];
      for (let n = 0; n < count; n += 1) ids.push((await app.make.category()).id);
      await fill(app, ids, 1001, "");
      return ids;
    },
  };
  beforeAll(async () => {
    shop.large = (await app.make.category()).id;
    shop.huge = (await app.make.category()).id;
    const description = "leaf ".repeat(1000);
    if (made.includes("large")) await fill(app, [shop.large], 3000, description);
    if (made.includes("huge")) await fill(app, [shop.huge], 5500, description);
  });
  return shop;
}

const fill = (app: TestApp, categories: number[], size: number, description: string) =>
  app.sql(
    `INSERT INTO products (name, slug, description, price, category_id)
     SELECT 'Tea ' || n, category || '-' || n, $3, 1, category
     FROM unnest($1::integer[]) AS category, generate_series(1, $2::integer) AS n`,
    [categories, size, description],
  );

/** A client that asks for a list, and reads no further than the head of the answer. */
export async function stalled(url: string, category: number, id = "none"): Promise<Socket> {
  const socket = ask(url, category, id);
  await once(socket, "readable");
  return socket;
}

/** Asks for a list, with an id that the log has. */
export function ask(url: string, category: number, id: string): Socket {
  const socket = openSocket(url);
  socket.on("error", () => undefined);
  socket.write(
    `GET /products/category/${category} HTTP/1.1\r\nHost: shop\r\nX-Request-Id: ${id}\r\n\r\n`,
  );
  return socket;
}

/** Clients that take all places by reading no further than the head of a list. */
export const takePlaces = (url: string, category: number): Promise<Socket[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, () => stalled(url, category)));

/** Resolves when a connection is closed, whether or not it is reset: whoever is cut off may be told so. */
export const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once("close", () => resolve()));

/** All that a client receives until its connection is closed. */
export async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await closeOf(socket);
  return Buffer.concat(chunks).toString("latin1");
}

export const idsOf = ({ body }: Answer): number[] => (body as { id: number }[]).map(({ id }) => id);

/** The ids of a category's products in the order of its list. */
export async function idsIn(app: TestApp, category: number): Promise<number[]> {
  const [row] = await app.sql<{ ids: number[] }>(
    `SELECT array_agg(id ORDER BY created_at DESC, id DESC) AS ids
     FROM products WHERE category_id = $1`,
    [category],
  );
  return row!.ids;
}

export async function busyConnections(app: TestApp): Promise<number> {
  const [row] = await app.sql<{ busy: number }>(
    `SELECT count(*)::integer AS busy FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tea-shop' AND state <> 'idle'`,
  );
  return row!.busy;
}
