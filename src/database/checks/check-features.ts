import { randomBytes } from "node:crypto";
import { DatabaseError, type Client } from "pg";
import { messageOf, OperatorError } from "../../vocabulary/errors";
import { cancelStatement, type Session } from "../connection/cancel";
import { withClient } from "../connection/with-client";
import { features } from "./features";
import { beginIn, worksOf, type Feature, type Place, type Trial } from "./features/feature";
import { createPlace, removePlace } from "./place";

/** What came of a trial. */
export interface FeatureOutcome extends Pick<Feature, "name" | "neededFor"> {
  readonly without: string | undefined;
  /** Why the feature does not work; undefined if it does. */
  readonly fault: string | undefined;
}

/** The connections of a service. */
interface Connections {
  /** That of its requests, maybe through a pooler. */
  readonly ofService: string;
  /** That of its commands. */
  readonly ofCommands: string;
}

interface Options {
  readonly list?: readonly Feature[];
  /** Milliseconds for each statement, instead of {@link PATIENCE}. */
  readonly patience?: number;
  /** Ends the check after the trial under way. */
  readonly signal?: AbortSignal;
}

/** Milliseconds for each statement. */
export const PATIENCE = 15_000;

const NO_EFFECT = "It is accepted, but has another effect than in PostgreSQL";

/**
 * Tries whether a database can do what the service needs, whatever engine serves it; on a replica, what is read there.
 * Nothing of the trials is left, and no table of the database is touched. They need the rights of the migrations. A
 * database that answers nothing any more ends them.
 *
 * @throws OperatorError if nothing can be tried, or something can't be removed; the errors of pg if it can't connect
 */
export async function checkFeatures(
  { ofService, ofCommands }: Connections,
  { list = features, patience = PATIENCE, signal }: Options = {},
): Promise<FeatureOutcome[]> {
  const urlOf = (feature: Feature): string => (feature.byCommands ? ofCommands : ofService);
  const tryAll = async (place: Place, chosen: readonly Feature[]): Promise<FeatureOutcome[]> => {
    const outcomes: FeatureOutcome[] = [];
    for (const feature of chosen) {
      if (signal?.aborted) break;
      outcomes.push(await outcomeOf(feature, urlOf(feature), place, patience));
    }
    return outcomes;
  };
  const prefix = `tea_shop_check_${Math.floor(Date.now() / 1000)}_${randomBytes(6).toString("hex")}`;
  if (await isReplica(ofService)) {
    const place = { schema: prefix, prefix, tables: [] };
    return tryAll(
      place,
      list.filter(({ onReplicas }) => onReplicas),
    );
  }
  await assertTwoSessions(ofService);
  const place = await createPlace(ofCommands, prefix, patience);
  try {
    return await tryAll(place, list);
  } finally {
    await removePlace(ofCommands, place, patience);
  }
}

/** Whether a database follows another one. An engine that does not know the question has no replicas of this kind. */
export const isReplica = (databaseUrl: string): Promise<boolean> =>
  withClient(
    databaseUrl,
    (client) =>
      worksOf(client, "SELECT pg_is_in_recovery() AS works").catch((error: unknown) => {
        if (error instanceof DatabaseError) return false;
        throw error;
      }),
    { patience: PATIENCE },
  );

/** Milliseconds for a second session, beside a transaction. */
const SECOND_SESSION = 2_000;

/** @throws OperatorError if a pooler gives its clients one session after the other */
async function assertTwoSessions(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (one) => {
    await one.query("BEGIN");
    const asking = withClient(databaseUrl, (other) => other.query("SELECT 1"), {
      patience: SECOND_SESSION,
    });
    await asking.catch((error: unknown) => {
      throw new OperatorError(
        `The check needs two sessions at a time, and got one: ${messageOf(error)}. If there is a pooler, raise its pool size while you check`,
        { cause: error },
      );
    });
    await one.query("COMMIT");
  });
}

/** Each trial has connections of its own, so that none suffers from what another has left open. */
async function outcomeOf(
  feature: Feature,
  databaseUrl: string,
  place: Place,
  patience: number,
): Promise<FeatureOutcome> {
  const { name, neededFor, without } = feature;
  const outcome = { name, neededFor, without };
  try {
    const works = await withClient(
      databaseUrl,
      (one) =>
        withClient(databaseUrl, (other) => tried(feature, { databaseUrl, place, one, other }), {
          patience,
        }),
      { patience },
    );
    return { ...outcome, fault: works ? undefined : NO_EFFECT };
  } catch (error) {
    // Throws if the database is away, which is no fault of the feature.
    await withClient(databaseUrl, (client) => client.query("SELECT 1"), { patience });
    return { ...outcome, fault: messageOf(error).replaceAll(`${place.prefix}_`, "trial_") };
  }
}

async function tried({ trial }: Feature, where: Trial): Promise<boolean> {
  try {
    return await (typeof trial === "function" ? trial(where) : inTransaction(trial, where));
  } catch (error) {
    // The server may still be busy with a statement, and hold locks, when its client has given up.
    if (!(error instanceof DatabaseError)) {
      await Promise.all(
        [where.one, where.other].map((each) => cancelStatement(each as Client & Session)),
      );
    }
    throw error;
  }
}

async function inTransaction(
  statements: readonly string[],
  { one, place }: Trial,
): Promise<boolean> {
  await one.query(beginIn(place));
  let works = false;
  for (const statement of statements) {
    works = await worksOf(one, statement.replaceAll("trial_", `${place.prefix}_`));
  }
  await one.query("ROLLBACK");
  return works;
}
