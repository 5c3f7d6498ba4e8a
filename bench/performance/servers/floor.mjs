// A server of node:http and pg alone.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import * as statements from "./floor-statements.mjs";

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
const orders = { plain: statements.order(false), keyed: statements.order(true) };

/** The JSON of a named statement; undefined if it found nothing. */
async function json(name, text, values = []) {
  const { rows } = await pool.query({ name, text, values, rowMode: "array" });
  return rows[0]?.[0];
}

async function body(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}

async function place(request) {
  const { customerEmail, items } = await body(request);
  const asked = [items.map(({ productId }) => productId), items.map(({ quantity }) => quantity)];
  const key = request.headers["idempotency-key"];
  if (key === undefined) return json("order", orders.plain, [customerEmail, ...asked]);
  const fingerprint = createHash("sha256").update(JSON.stringify([customerEmail, asked]));
  const values = [customerEmail, ...asked, key, fingerprint.digest("hex")];
  return json("keyed-order", orders.keyed, values);
}

async function graphql(request) {
  await body(request);
  return json("graphql", statements.graphql, [10, 1]);
}

/**
 * What a request asks for: the status of success and the JSON.
 *
 * @returns {[number, string | Promise<string | undefined>]}
 */
function answer(request) {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const [, room, name, id] = pathname.split("/");
  if (room === "orders") return [201, place(request)];
  if (room === "graphql") return [200, graphql(request)];
  if (room === "categories") return [200, json("categories", statements.categories)];
  if (room !== "products") return [200, "{}"];
  if (name === "category") return [200, json("of-category", statements.productsOfCategory, [id])];
  if (name !== undefined) return [200, json("product", statements.product, [name])];
  return [200, json("products", statements.products, [10, Number(searchParams.get("page") ?? 1)])];
}

const server = createServer(async (request, response) => {
  try {
    const [status, found] = answer(request);
    const text = await found;
    response.writeHead(text === undefined ? 404 : status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(text ?? ""),
    });
    response.end(text);
  } catch (fault) {
    console.error(fault);
    response.writeHead(500).end();
  }
});
server.listen(Number(PORT), HOST);
