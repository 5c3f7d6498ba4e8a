/** A module of the built service; types are those of its source. */
const built = (name) => import(new URL(`../../dist/${name}`, import.meta.url).href);

/** @type {typeof import("../../src/database/migrations/migrator.js")} */
export const { Migrator } = await built("database/migrations/migrator.js");

/** @type {typeof import("../../src/demo/index.js")} */
export const { seedDemo } = await built("demo/index.js");

/** @type {typeof import("../../src/embedded-postgres/index.js")} */
export const { startEmbeddedPostgres } = await built("embedded-postgres/index.js");
