import { Client, types, type ClientConfig } from "pg";
import { parseTimestamp } from "../statements/model-table";

/**
 * Settings of every session, whatever the defaults of the server, the database or the role are. They are sent
 * in the startup message, and PgBouncer tracks each of them per client. pg itself sends the encoding. Settings
 * that PgBouncer does not track are set on the role (migration 009).
 */
const SESSION = {
  DateStyle: "ISO, MDY",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
} as const;

/** A method of pg's client that its declarations leave out. */
interface Startup {
  getStartupConf(): Record<string, string>;
}

/** A client whose session does not depend on the server's defaults; the service uses no other. */
export class SessionClient extends Client implements Startup {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.setTypeParser(types.builtins.TIMESTAMPTZ, parseTimestamp);
  }

  /** The parameters of the startup message. */
  getStartupConf(): Record<string, string> {
    return { ...(Client.prototype as unknown as Startup).getStartupConf.call(this), ...SESSION };
  }
}
