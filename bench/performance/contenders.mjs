import { randomBytes } from "node:crypto";
import path from "node:path";

const here = (file) => path.join(import.meta.dirname, file);
const PEERS = here("../peers");
const SERVICE = here("../../dist/main.js");
const peer = (file) => path.join(PEERS, file);

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

/**
 * Who is measured, by name: the file that is run and its settings. The service comes as it is (`service`), without the
 * cached catalogue (`uncached`), and also without reads that requests share (`alone`).
 */
export const contenders = {
  service: { title: "service", ...service() },
  uncached: { title: "service, no cache", ...service({ CATALOGUE_CACHE: "off" }) },
  alone: {
    title: "service, nothing shared or cached",
    ...service({ CATALOGUE_CACHE: "off", SHARED_READS: "off" }),
  },
  floor: { title: "F", entry: here("servers/floor.mjs") },
  late: { title: "Fl", entry: here("servers/floor.mjs"), settings: { FORMAT: "late" } },
  constant: { title: "L0", entry: here("servers/constant.mjs") },
  sequelize: { title: "Express + Sequelize", entry: here("servers/sequelize.mjs") },
  nest: { title: "NestJS + TypeORM", entry: peer("dist/main.js"), isPeer: true },
  postgraphile: { title: "PostGraphile", entry: peer("postgraphile.mjs"), isPeer: true },
  mercurius: { title: "mercurius, graphql-jit", entry: peer("mercurius.mjs"), isPeer: true },
};

/** Another build of the service to compare with, from its `dist` folder. */
export const buildOf = (dist, settings) => ({
  title: `service of ${dist}`,
  ...service(settings, path.resolve(dist, "main.js")),
});
