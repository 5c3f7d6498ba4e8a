import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import type { Client } from "pg";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { DataSettings } from "../config/settings";
import { sessionOf } from "../database/connection/internals";
import { runSql, send } from "../database/statements/sql";

/** A place in the write-ahead log of a database. */
export interface Position {
  /** Identifies the cluster and its database. Replicas have that of their primary. */
  readonly identity: string;
  /** Begins anew with each promotion of a replica. Places of two timelines can't be compared. */
  readonly timeline: number;
  /** Bytes from the beginning of the log. */
  readonly place: bigint;
}

interface Found extends Omit<Position, "place"> {
  readonly place: string | null;
  /** The process of the server that has answered; only where that matters. */
  readonly process?: number;
}

const IDENTITY = sql`concat((SELECT system_identifier FROM pg_control_system()), '/',
  (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/**
 * Without synchronous commit, a change is acknowledged before it is flushed. With it, nothing is acknowledged, nor sent
 * to replicas, before it is flushed.
 */
const WRITTEN = sql`CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END`;

/** Where the log of a primary ends: all changes that were acknowledged before this call lie before it. */
export async function endOfLog(primary: Sequelize): Promise<Position> {
  const found = await runSql<Found>(
    primary,
    sql`SELECT ${IDENTITY} AS identity, (written - '0/0')::text AS place,
          ('x' || left(pg_walfile_name(written), 8))::bit(32)::integer AS timeline
        FROM (SELECT ${WRITTEN} AS written) AS log`,
    { name: "end of the log", urgent: true },
  );
  const position = positionOf(found);
  if (!position) throw new Error("A primary has a log");
  return position;
}

const REPLAYED = {
  // The receiver knows a new timeline at once, the control file only after a checkpoint.
  statement: sql`SELECT ${IDENTITY} AS identity,
      CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::text END AS place,
      coalesce((SELECT received_tli FROM pg_stat_wal_receiver),
        (SELECT timeline_id FROM pg_control_checkpoint())) AS timeline,
      pg_backend_pid() AS process`,
  name: "replayed position",
};

/** How far a replica has replayed the log; undefined if it is none, or none any more. */
export async function replayedBy(replica: Sequelize): Promise<Position | undefined> {
  const { statement, name } = REPLAYED;
  return positionOf(await runSql<Found>(replica, statement, { name, urgent: true }));
}

/**
 * The same for the server at the other end of a connection. `isDirect` says whether the connection ends when that
 * server does; a pooler would go on with another session.
 */
export async function replayedAt(
  connection: Client,
): Promise<{ readonly position: Position | undefined; readonly isDirect: boolean }> {
  const { statement, name } = REPLAYED;
  const found = await send<Found>(connection, statement, name);
  return {
    position: positionOf(found),
    isDirect: found[0]?.process === sessionOf(connection).processID,
  };
}

function positionOf([found]: readonly Found[]): Position | undefined {
  return found && found.place !== null ? { ...found, place: BigInt(found.place) } : undefined;
}

/** Whether a database that is at `position` has everything up to `needed`. */
export const reaches = (position: Position, needed: Position): boolean =>
  position.identity === needed.identity &&
  position.timeline === needed.timeline &&
  position.place >= needed.place;

/** Whether a server lacks something that a replica of this name had: it may have crashed, or was set up anew. */
export const isBehind = (position: Position, had: Position): boolean =>
  position.identity === had.identity &&
  (position.timeline < had.timeline ||
    (position.timeline === had.timeline && position.place < had.place));

/** Timeline, place, and 32 bytes in base64url. */
const FORM = /^([1-9][0-9]{0,9})\.([0-9]{1,20})\.([\w-]{43})$/;

/** Positions as clients have them: signed, so that no client can make up a place in the log. */
export class SessionPositions {
  private readonly keys: readonly [KeyObject, ...KeyObject[]];

  constructor({ secret, previousSecrets }: DataSettings) {
    this.keys = [keyOf(secret), ...previousSecrets.map(keyOf)];
  }

  textOf(position: Position): string {
    return `${position.timeline}.${position.place}.${signature(position, this.keys[0])}`;
  }

  /** The position in a text; undefined for any other text, also one of another database. */
  read(text: string, { identity }: Pick<Position, "identity">): Position | undefined {
    const [, timeline, place, signed] = FORM.exec(text) ?? [];
    if (place === undefined || signed === undefined) return undefined;
    const position = { identity, timeline: Number(timeline), place: BigInt(place) };
    const given = Buffer.from(signed);
    const isSigned = this.keys.some((key) =>
      timingSafeEqual(given, Buffer.from(signature(position, key))),
    );
    return isSigned ? position : undefined;
  }
}

const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** The words before the values distinguish these signatures from those for other purposes. */
const signature = ({ identity, timeline, place }: Position, key: KeyObject): string =>
  createHmac("sha256", key)
    .update(`session position ${identity} ${timeline} ${place}`)
    .digest("base64url");
