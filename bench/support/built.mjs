import { pathToFileURL } from "node:url";

const DIST = new URL("../../dist/", import.meta.url).href;

/** A module of a build, by default of this one; types are those of its source. */
const built = (name, dist = DIST) => import(new URL(name, dist).href);

/** @type {typeof import("../../src/database/migrations/migrator.js")} */
export const { Migrator } = await built("database/migrations/migrator.js");

/** @type {typeof import("../../src/demo/index.js")} */
export const { seedDemo } = await built("demo/index.js");

/** The migrator of another build, in the folder `dist`. */
export async function migratorOf(dist) {
  /** @type {typeof import("../../src/database/migrations/migrator.js")} */
  const { Migrator } = await built(
    "database/migrations/migrator.js",
    pathToFileURL(`${dist}/`).href,
  );
  return Migrator;
}

/** @type {typeof import("../../src/services/administrators/tokens.js")} */
export const { Tokens } = await built("services/administrators/tokens.js");

/** @type {typeof import("../../src/embedded-postgres/index.js")} */
export const { startEmbeddedPostgres } = await built("embedded-postgres/index.js");
