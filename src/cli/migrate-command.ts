import type { Command } from "commander";
import { checkIndexes } from "../database/checks/indexes";
import { Migrator, type MigrationStatus } from "../database/migrations/migrator";
import { OperatorError } from "../vocabulary/errors";
import { integerFrom } from "./arguments";
import { withDatabase, commandSettings } from "./database";
import { note, print, type Io } from "./io";

const help = `
Migrations are applied in order, each in a transaction unless it opts out. Commands that start at the same
time wait for each other. They connect to MIGRATION_DATABASE_URL if it is set, because they refuse
a pooler in DATABASE_URL.

Examples:
  npm run tea -- migrate up
  npm run tea -- migrate down --steps 2
  npm run tea -- migrate status`;

export function addMigrateCommands(program: Command, io: Io): void {
  const migrate = program
    .command("migrate")
    .description("update or revert the database's schema, or show its state")
    .addHelpText("after", help);
  addUp(migrate, io);
  addDown(migrate, io);
  addStatus(migrate, io);
}

function addUp(migrate: Command, io: Io): void {
  migrate
    .command("up")
    .description("apply all pending migrations, and set what the role lacks after a restore")
    .addHelpText("after", "\nExample:\n  npm run tea -- migrate up")
    .action(() =>
      withMigrator(io, async (migrator) => {
        const names = await migrator.up();
        for (const name of names) print(io, `applied ${name}`);
        if (names.length === 0) print(io, "The schema is up to date");
      }),
    );
}

function addDown(migrate: Command, io: Io): void {
  migrate
    .command("down")
    .description("revert the last migrations, latest first; the data in what they created is lost")
    .option("--steps <number>", "how many migrations to revert", integerFrom(1, 1000), 1)
    .addHelpText(
      "after",
      "\nExamples:\n  npm run tea -- migrate down\n  npm run tea -- migrate down --steps 2",
    )
    .action(({ steps }: { steps: number }) =>
      withMigrator(io, async (migrator) => {
        const names = await migrator.down(steps);
        for (const name of names) print(io, `reverted ${name}`);
        if (names.length === 0) print(io, "No migration is applied");
      }),
    );
}

function addStatus(migrate: Command, io: Io): void {
  migrate
    .command("status")
    .description(
      "list the migrations, and warn of indexes to rebuild; fails if the files contradict the applied migrations",
    )
    .addHelpText("after", "\nExample:\n  npm run tea -- migrate status")
    .action(() =>
      withMigrator(io, async (migrator, databaseUrl) => {
        const statuses = await migrator.status();
        for (const status of statuses) print(io, lineOf(status));
        await checkIndexes(databaseUrl, warnings(io));
        if (statuses.some(({ state }) => !["applied", "pending", "newer"].includes(state))) {
          throw new OperatorError("The files contradict the applied migrations");
        }
      }),
    );
}

const lineOf = ({ name, state, appliedAt }: MigrationStatus): string =>
  `${state.padEnd(9)}  ${(appliedAt?.toISOString() ?? "").padEnd(24)}  ${name}`;

const warnings =
  (io: Io) =>
  (message: string): void =>
    note(io, `warning: ${message}`);

const withMigrator = (
  io: Io,
  use: (migrator: Migrator, databaseUrl: string) => Promise<void>,
): Promise<void> =>
  withDatabase(commandSettings(io), (databaseUrl) =>
    use(new Migrator({ databaseUrl, warn: warnings(io) }), databaseUrl),
  );
