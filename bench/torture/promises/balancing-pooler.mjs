import { Cleanup } from "../../support/cleanup.mjs";
import { findPgpool, startPgpool } from "../../support/pgpool.mjs";
import { Replica } from "../../support/replica.mjs";
import { seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

const SENTENCE = "DATABASE_URL leads to a pooler that sends reads to standbys by itself";

/** Ways in which Pgpool-II balances the load, and whether it does. It chooses a server for each session by chance. */
const KINDS = [
  { load_balance_mode: "on" },
  { load_balance_mode: "on", statement_level_load_balance: "on" },
  { load_balance_mode: "on", disable_load_balance_on_write: "always" },
  { load_balance_mode: "on", disable_load_balance_on_write: "trans_transaction" },
  { load_balance_mode: "on", disable_load_balance_on_write: "dml_adaptive" },
  { load_balance_mode: "off" },
];
const nameOf = (kind) =>
  Object.entries(kind)
    .map((setting) => setting.join("="))
    .join(" ");

export const balancingPooler = {
  title: "A pooler that sends reads to standbys by itself is refused at the start",
  async run(stage, { short }) {
    const pgpool = await findPgpool();
    if (!pgpool) {
      return {
        done: "not run: Pgpool-II is not installed (Debian's package pgpool2)",
        findings: [seen("nothing")],
      };
    }
    const starts = short ? 3 : 20;
    const { postgres, cleanup, databaseUrl } = await stage.set();
    const replica = await Replica.of(postgres, cleanup);
    await replica.inStepWith(postgres);
    const databaseUrls = [databaseUrl, replica.url(new URL(databaseUrl).pathname.slice(1))];
    const findings = [];
    for (const settings of KINDS) {
      const local = new Cleanup();
      cleanup.add(() => local.run());
      const pooledUrl = await startPgpool(pgpool, { postgres, databaseUrls, settings }, local);
      const outcomes = [];
      for (let start = 0; start < starts; start += 1) {
        outcomes.push(await startOn(pooledUrl, stage));
      }
      await local.run(); // it keeps its sessions, and PostgreSQL has too few for several of them
      const wanted = settings.load_balance_mode === "on" ? "refused" : "ready";
      findings.push(
        seen(
          `${nameOf(settings)}: ${tally(outcomes)}`,
          outcomes.every((each) => each === wanted),
        ),
      );
    }
    return {
      done: `${pgpool.version} before a primary and a standby that weigh the same, ${starts} starts of the service behind each of ${KINDS.length} settings`,
      findings,
    };
  },
};

/** Starts a service behind a pooler: `ready`, `refused` with the sentence, or what else it says. */
async function startOn(pooledUrl, stage) {
  const service = stage.launch({
    databaseUrl: pooledUrl,
    settings: { MIGRATION_DATABASE_URL: stage.databaseUrl },
  });
  const isReady = await service.ready().then(
    () => true,
    () => false,
  );
  if (isReady) {
    await service.stop();
    return "ready";
  }
  const { code } = await service.ended;
  return code === 1 && service.output.includes(SENTENCE) ? "refused" : service.output;
}
