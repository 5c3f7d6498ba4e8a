import { Client } from "pg";

/**
 * What the service's sessions are set to, whatever the server's, the database's or the role's defaults
 * are: the form of dates, the zone they are shown in, and that a backslash is a plain character in a
 * string. Sent as the session starts; PgBouncer keeps each of these for its client. The encoding is sent by
 * pg itself, and what PgBouncer does not keep is set on the role (migration 009).
 */
const SESSION = {
  DateStyle: "ISO, MDY",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
} as const;

/** What pg's client has beside its declared members. */
interface Startup {
  getStartupConf(): Record<string, string>;
}

/** A client whose session depends on no default of the server; every connection of the service is one. */
export class SessionClient extends Client implements Startup {
  /** The parameters of the startup message. */
  getStartupConf(): Record<string, string> {
    return { ...(Client.prototype as unknown as Startup).getStartupConf.call(this), ...SESSION };
  }
}
