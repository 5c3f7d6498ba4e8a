import type { Command } from "commander";
import type { Sequelize } from "sequelize-typescript";
import { connect } from "../database/connection/pool";
import { Accounts, type AccountRecord } from "../services/administrators/accounts";
import { invite } from "../services/administrators/invitations";
import { Passwords } from "../services/administrators/passwords";
import { OperatorError } from "../vocabulary/errors";
import { newEmailAddress } from "./arguments";
import {
  commandSettings,
  serviceSettings,
  withMigratedDatabase,
  type CommandSettings,
} from "./database";
import { printable } from "../files/report";
import { print, type Io } from "./io";
import { newPassword, passwordHelp } from "./password";

const help = `${passwordHelp}

Examples:
  npm run tea -- admin create ada@example.com
  npm run tea -- admin invite ada@example.com
  npm run --silent tea -- admin set-password ada@example.com < password.txt
  npm run tea -- admin reset-second-factor ada@example.com
  npm run tea -- admin deactivate ada@example.com
  npm run tea -- admin activate ada@example.com
  npm run tea -- admin list`;

export function addAdminCommands(program: Command, io: Io): void {
  const admin = program
    .command("admin")
    .description("manage administrators' accounts")
    .addHelpText("after", help);
  addCreate(admin, io);
  addInvite(admin, io);
  addSetPassword(admin, io);
  addReset(admin, io);
  addSetActive(admin, io, "deactivate", "disable an account and its tokens at once");
  addSetActive(admin, io, "activate", "enable a deactivated account again");
  addList(admin, io);
}

function addCreate(admin: Command, io: Io): void {
  admin
    .command("create")
    .description("create an account")
    .argument("<email>", "the address to log in with", newEmailAddress)
    .addHelpText(
      "after",
      `${passwordHelp}\n\nExample:\n  npm run tea -- admin create ada@example.com`,
    )
    .action(async (email: string) => {
      const password = await newPassword(email, commandSettings(io), io);
      await withAccounts(io, async (accounts) => {
        await accounts.create({ email, password });
        print(io, `Created administrator ${email}`);
      });
    });
}

function addInvite(admin: Command, io: Io): void {
  admin
    .command("invite")
    .description(
      "print a link, good once and for 24 hours, to choose the first password of an account",
    )
    .argument("<email>", "the address to log in with", newEmailAddress)
    .addHelpText(
      "after",
      "\nIt creates the account if there is none. PUBLIC_ORIGIN says where the link leads. A second link ends the first.\n\nExample:\n  npm run tea -- admin invite ada@example.com",
    )
    .action(async (email: string) => {
      const settings = commandSettings(io);
      const { publicOrigin } = settings;
      if (publicOrigin === undefined) {
        throw new OperatorError(
          "PUBLIC_ORIGIN is required, such as https://shop.example.com: the link leads there",
        );
      }
      await withSequelize(settings, async (sequelize, databaseUrl) => {
        const { data } = await serviceSettings(settings, databaseUrl);
        print(io, `${publicOrigin}/admin#invitation=${await invite(sequelize, data, email)}`);
      });
    });
}

function addSetPassword(admin: Command, io: Io): void {
  admin
    .command("set-password <email>")
    .description("change the password of an account")
    .addHelpText(
      "after",
      `${passwordHelp}\n\nExample:\n  npm run tea -- admin set-password ada@example.com`,
    )
    .action(async (email: string) => {
      const password = await newPassword(email, commandSettings(io), io);
      await withAccounts(io, async (accounts) => {
        const changed = await accounts.setPassword(email, password);
        print(io, `Set the password of administrator ${printable(changed.email)}`);
      });
    });
}

function addSetActive(
  admin: Command,
  io: Io,
  name: "activate" | "deactivate",
  description: string,
): void {
  admin
    .command(`${name} <email>`)
    .description(description)
    .addHelpText("after", `\nExample:\n  npm run tea -- admin ${name} ada@example.com`)
    .action((email: string) =>
      withAccounts(io, async (accounts) => {
        const changed = await accounts.setActive(email, name === "activate");
        print(io, `Administrator ${printable(changed.email)} is ${stateOf(changed)}`);
      }),
    );
}

function addReset(admin: Command, io: Io): void {
  admin
    .command("reset-second-factor <email>")
    .description("take all second factors from an account, and end its sessions")
    .addHelpText("after", "\nExample:\n  npm run tea -- admin reset-second-factor ada@example.com")
    .action((email: string) =>
      withAccounts(io, async (accounts) => {
        const { email: known } = await accounts.resetSecondFactors(email);
        print(
          io,
          `Administrator ${printable(known)} has no second factor, and is signed in nowhere`,
        );
      }),
    );
}

function addList(admin: Command, io: Io): void {
  admin
    .command("list")
    .description("list all accounts")
    .addHelpText("after", "\nExample:\n  npm run tea -- admin list")
    .action(() =>
      withAccounts(io, async (accounts) => {
        const all = await accounts.list();
        for (const line of linesOf(all)) print(io, line);
        if (all.length === 0) print(io, "There are no administrators");
      }),
    );
}

function linesOf(accounts: readonly AccountRecord[]): string[] {
  const shown = accounts.map((account) => ({ ...account, email: printable(account.email) }));
  const width = Math.max(0, ...shown.map(({ email }) => email.length));
  return shown.map(
    (account) => `${account.email.padEnd(width)}  ${account.role}  ${stateOf(account)}`,
  );
}

const stateOf = ({ isActive }: AccountRecord): string => (isActive ? "active" : "deactivated");

function withAccounts(io: Io, use: (accounts: Accounts) => Promise<void>): Promise<void> {
  const settings = commandSettings(io);
  return withSequelize(settings, (sequelize) =>
    use(new Accounts(sequelize, new Passwords(settings.passwords))),
  );
}

function withSequelize(
  settings: CommandSettings,
  use: (sequelize: Sequelize, databaseUrl: string) => Promise<void>,
): Promise<void> {
  return withMigratedDatabase(settings, async (databaseUrl) => {
    const { namedStatements } = settings.database;
    const sequelize = connect({ url: databaseUrl, poolSize: 1, namedStatements });
    try {
      await use(sequelize, databaseUrl);
    } finally {
      await sequelize.close();
    }
  });
}
