import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";

const here = (file) => path.join(import.meta.dirname, file);
const SERVICE = here("../../dist/main.js");

/** Whether the packages of the peers are there, which have a package file of their own. */
export const arePeersInstalled = existsSync(here("../peers/node_modules"));

/** Connections to the database that every contender may use. */
export const POOL_SIZE = 8;

/** The secret of the service's tokens. */
export const JWT_SECRET = randomBytes(32).toString("hex");

/** As in production, but for the limit of orders per address: all clients of a benchmark share one. */
const service = (settings = {}, entry = SERVICE) => ({
  entry,
  isService: true,
  settings: { JWT_SECRET, ORDER_RATE_LIMIT: "0", ...settings },
});

/** Who is measured, by name: the file that is run, its settings, and how many replicas it reads from. */
export const contenders = {
  service: service(),
  uncached: service({ CATALOGUE_CACHE: "off" }),
  replicated: { ...service(), replicas: 2 },
  floor: { entry: here("servers/floor.mjs") },
  sequelize: { entry: here("servers/sequelize.mjs") },
  postgraphile: { entry: here("../peers/postgraphile.mjs"), isPeer: true },
};

/** Another build of the service to compare with, from its `dist` folder. */
export const buildOf = (dist) => service({}, path.resolve(dist, "main.js"));
