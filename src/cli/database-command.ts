import type { Command } from "commander";
import type { Client } from "pg";
import {
  checkFeatures,
  isReplica,
  PATIENCE,
  type FeatureOutcome,
} from "../database/checks/check-features";
import { withClient } from "../database/connection/with-client";
import { withLocalDatabase } from "../local/local-database";
import { OperatorError } from "../vocabulary/errors";
import { counted } from "./counted";
import { print, type Io } from "./io";
import { commandSettings } from "./settings";

const checkHelp = `
For engines that speak PostgreSQL's protocol, and for poolers. Each feature is used in a schema that is created for
the check and dropped after it; the shop's tables are not touched, and need not be there. A role that may create no
schema has the trials where migrations create tables. What only commands use is tried on MIGRATION_DATABASE_URL, if it
is set; on a replica, only what the service reads there is tried. The command fails if something does not work that
the service can't do without.

Examples:
  npm run tea -- database check
  DATABASE_URL=postgres://... npm run tea -- database check`;

export function addDatabaseCommands(program: Command, io: Io): void {
  program
    .command("database")
    .description("check whether a database can do what the shop needs")
    .addHelpText("after", "\nExample:\n  npm run tea -- database check")
    .command("check")
    .description("try each feature of PostgreSQL that the shop needs; fails if one is missing")
    .addHelpText("after", checkHelp)
    .action(async () => {
      const settings = commandSettings(io);
      await withLocalDatabase(settings, (ofCommands) =>
        untilInterrupted((signal) =>
          check({ ofService: settings.database.url ?? ofCommands, ofCommands }, signal, io),
        ),
      );
    });
}

async function check(
  urls: Parameters<typeof checkFeatures>[0],
  signal: AbortSignal,
  io: Io,
): Promise<void> {
  print(io, await withClient(urls.ofService, serverOf, { patience: PATIENCE }));
  if (await isReplica(urls.ofService)) {
    print(io, "It is a replica: what the service reads there is tried, and nothing else");
  }
  const outcomes = await checkFeatures(urls, { signal });
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  for (const outcome of outcomes) for (const line of linesOf(outcome, width)) print(io, line);
  if (signal.aborted) throw new OperatorError("The check was interrupted; nothing of it is left");
  const lacking = outcomes.filter(({ fault }) => fault !== undefined);
  const needed = lacking.filter(({ without }) => without === undefined).length;
  if (needed > 0) {
    throw new OperatorError(
      `The shop can't use this database: it lacks ${counted(needed, "feature")} of ${outcomes.length}`,
    );
  }
  print(
    io,
    lacking.length === 0
      ? `All ${outcomes.length} features work`
      : `The shop can use this database without ${counted(lacking.length, "feature")} of ${outcomes.length}`,
  );
}

function linesOf({ name, neededFor, without, fault }: FeatureOutcome, width: number): string[] {
  const rest = `${name.padEnd(width)}  ${neededFor}`;
  if (fault === undefined) return [`works  ${rest}`];
  if (without === undefined) return [`LACKS  ${rest}`, `       ${fault}`];
  return [`lacks  ${rest}`, `       ${fault}`, `       To do without, ${without}`];
}

/** Signals end what is under way only when it has removed what it created. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** What the server calls itself. */
async function serverOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>("SELECT version()");
  return rows[0]?.version ?? "";
}
