export { startEmbeddedPostgres, type EmbeddedPostgresOptions } from "./start";
export type { EmbeddedPostgres } from "./server-use";
export { EmbeddedPostgresError, type Remedy } from "./error";
