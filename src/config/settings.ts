import type { readSettings } from "./read-settings";

export type { LogLevel, ServerSettings } from "./reader";

/** Settings in which the database and the secrets may be missing: a local start creates them. */
export type LocalSettings = Readonly<ReturnType<typeof readSettings>>;

type Known<T> = { readonly [Key in keyof T]: NonNullable<T[Key]> };

/** All settings of a shop, grouped by the part that uses them. docs/settings.md has a table of them. */
export interface Settings extends Omit<
  LocalSettings,
  "database" | "migrations" | "tokens" | "data"
> {
  readonly database: Known<LocalSettings["database"]>;
  readonly migrations: Known<LocalSettings["migrations"]>;
  readonly tokens: Known<LocalSettings["tokens"]>;
  readonly data: Known<LocalSettings["data"]>;
}

export type DatabaseSettings = Settings["database"];
export type MigrationSettings = Settings["migrations"];
export type TokenSettings = Settings["tokens"];
export type DataSettings = Settings["data"];
export type Credentials = NonNullable<Settings["firstAdmin"]>;
export type PasswordSettings = Settings["passwords"];
export type LoginSettings = Settings["login"];
export type RateLimitSettings = Settings["rateLimits"];
export type NewsletterSettings = Settings["newsletter"];
export type CatalogueSettings = Settings["catalogue"];
export type IdempotencyKeySettings = Settings["idempotencyKeys"];
export type GraphqlSettings = Settings["graphql"];
export type OperationLimits = GraphqlSettings["operationLimits"];
export type LogSettings = Settings["log"];
export type WebhookSettings = Settings["webhooks"];
