import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { call } from "../../support/http.mjs";
import { Lineup } from "../lineup.mjs";
import { measure, summarise } from "../measure.mjs";
import { paths } from "../paths/index.mjs";
import { prepareLargeShop } from "./large-shop.mjs";
import { measureForms } from "./measure-forms.mjs";
import { measurePages } from "./measure-pages.mjs";

const ADMIN = { email: "admin@bench.example", password: randomBytes(16).toString("hex") };

/** The service in all its forms, with an administrator who may read orders. */
const withAdmin = (table) =>
  Object.fromEntries(
    ["service", "alone"].map((name) => {
      const { settings, ...rest } = table[name];
      const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
      return [name, { ...rest, settings: { ...settings, ...admin } }];
    }),
  );

async function tokenOf({ url }) {
  const { status, text } = await call(url, { method: "POST", path: "/auth/login", json: ADMIN });
  if (status !== 200 && status !== 201) throw new Error(`The login is answered ${status}: ${text}`);
  return JSON.parse(text).access_token;
}

/**
 * Orders at the large shop and at the small one, in rounds that take turns.
 *
 * @param {any} options
 */
async function measureOrders({ small, large, smallData, data, ...tools }) {
  const keyed = paths.find(({ name }) => name === "keyed-orders");
  const entries = [
    { contender: small, requests: keyed.requests(smallData) },
    { contender: large, requests: keyed.requests(data) },
  ];
  const [ofSmall, ofLarge] = await measure({ ...tools, path: keyed, entries });
  return {
    ...{ small: summarise(ofSmall), smallCount: smallData.orders },
    ...{ large: summarise(ofLarge), largeCount: data.orders },
  };
}

/** Measures lists, searches and orders at a large shop. */
export async function measureScale(options) {
  const { postgres, lineup, folder, cleanup, table, size } = options;
  const data = await prepareLargeShop(postgres, size);
  // The administrator of an earlier run has another password.
  await postgres.sql(data.databaseUrl, "DELETE FROM admins");
  const ownFolder = path.join(folder, "large");
  await mkdir(ownFolder);
  const { databaseUrl } = data;
  const own = new Lineup({
    node: lineup.node,
    table: withAdmin(table),
    databaseUrl,
    folder: ownFolder,
    cleanup,
  });
  const [service, alone] = [await own.get("service"), await own.get("alone")];
  const tools = { ...options, data, service, alone, tell: console.error };
  return {
    orders: await measureOrders({
      ...tools,
      small: await lineup.get("service"),
      large: service,
      smallData: options.data,
    }),
    pages: await measurePages({ ...tools, contender: alone, token: await tokenOf(alone) }),
    forms: await measureForms(tools),
  };
}
