import { findPgBouncer, startPgBouncer } from "../../support/pgbouncer.mjs";
import { seen } from "../../support/report.mjs";
import { runPromotions } from "./promotions.mjs";
import { runRounds } from "./replica-rounds.mjs";

/** Fewer sessions than the service has connections to each pooler, so that connections share them. */
const POOL_SIZE = 4;

/** More than there are names. Earlier versions than this minor one track no named statements. */
const [PREPARED_STATEMENTS, SINCE] = [200, 21];

/**
 * Seconds. More than the service waits for a statement: none that was sent to a replica before it crashed is answered by
 * what comes back. With PgBouncer's default, a server may be promoted that it does not try again for another 15.
 */
const LOGIN_RETRY = 2;

export const pooledReplicas = {
  title: "Poolers before a primary and its replicas change nothing of what these promise",
  async run(stage, { short }) {
    const pgBouncer = await findPgBouncer();
    if (!pgBouncer) {
      return {
        done: "not run: PgBouncer is not installed (Debian's package pgbouncer)",
        findings: [seen("nothing")],
      };
    }
    const isNamed = pgBouncer.minor >= SINCE;
    const options = {
      short,
      settings: { NAMED_STATEMENTS: isNamed ? "on" : "off" },
      pooled: (databaseUrl) =>
        startPgBouncer(
          pgBouncer,
          {
            postgres: stage.postgres,
            databaseUrl,
            poolSize: POOL_SIZE,
            preparedStatements: isNamed ? PREPARED_STATEMENTS : 0,
            loginRetry: LOGIN_RETRY,
          },
          stage.cleanup,
        ),
    };
    const rounds = await runRounds(stage, options);
    const promotions = await runPromotions(stage, options);
    return {
      done: `${pgBouncer.version}, pool_mode=transaction, ${POOL_SIZE} sessions, server_login_retry=${LOGIN_RETRY}, one before each server: ${rounds.done}; then ${promotions.done}`,
      findings: [...rounds.findings, ...promotions.findings],
    };
  },
};
