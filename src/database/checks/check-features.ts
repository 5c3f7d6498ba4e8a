import { randomBytes } from "node:crypto";
import { messageOf } from "../../vocabulary/errors";
import { withClient } from "../connection/with-client";
import { features } from "./features";
import { beginIn, worksOf, type Feature, type Trial } from "./features/feature";

/** What came of a trial. */
export interface FeatureOutcome extends Pick<Feature, "name" | "neededFor"> {
  /** Why the feature does not work; undefined if it does. */
  readonly fault: string | undefined;
}

const NO_EFFECT = "It is accepted, but has another effect than in PostgreSQL";

/**
 * Tries whether a database can do what the service needs, whatever engine serves it. Nothing of the trials is left,
 * and no table of the database is touched. They need the right to create a schema.
 *
 * @throws the errors of pg if it can't connect, or can't create or drop the schema
 */
export function checkFeatures(
  databaseUrl: string,
  list: readonly Feature[] = features,
): Promise<FeatureOutcome[]> {
  const schema = `tea_shop_check_${randomBytes(6).toString("hex")}`;
  return withClient(databaseUrl, async (owner) => {
    await owner.query(`CREATE SCHEMA ${schema}`);
    try {
      const outcomes: FeatureOutcome[] = [];
      for (const feature of list) outcomes.push(await outcomeOf(feature, databaseUrl, schema));
      return outcomes;
    } finally {
      await owner.query(`DROP SCHEMA ${schema} CASCADE`);
    }
  });
}

/** Each trial has connections of its own, so that none suffers from what another has left open. */
async function outcomeOf(
  feature: Feature,
  databaseUrl: string,
  schema: string,
): Promise<FeatureOutcome> {
  const { name, neededFor } = feature;
  try {
    const works = await withClient(databaseUrl, (one) =>
      withClient(databaseUrl, (other) => tried(feature, { databaseUrl, schema, one, other })),
    );
    return { name, neededFor, fault: works ? undefined : NO_EFFECT };
  } catch (error) {
    return { name, neededFor, fault: messageOf(error) };
  }
}

function tried({ trial }: Feature, where: Trial): Promise<boolean> {
  return typeof trial === "function" ? trial(where) : triedInTransaction(trial, where);
}

async function triedInTransaction(
  statements: readonly string[],
  { one, schema }: Trial,
): Promise<boolean> {
  await one.query(beginIn(schema));
  let works = false;
  for (const statement of statements) works = await worksOf(one, statement);
  await one.query("ROLLBACK");
  return works;
}
