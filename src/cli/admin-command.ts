import type { Command } from "commander";
import { connect } from "../database/pool";
import { Accounts, type AccountRecord } from "../services/administrators/accounts";
import { Passwords } from "../services/administrators/passwords";
import { emailAddress } from "./arguments";
import { withMigratedDatabase } from "./database";
import { print, type Io } from "./io";
import { newPassword, passwordHelp } from "./password";
import { commandSettings } from "./settings";

const help = `${passwordHelp}

Examples:
  npm run tea -- admin create ada@example.com
  npm run --silent tea -- admin set-password ada@example.com < password.txt
  npm run tea -- admin deactivate ada@example.com
  npm run tea -- admin activate ada@example.com
  npm run tea -- admin list`;

/** Adds `admin create`, `set-password`, `deactivate`, `activate` and `list`. */
export function addAdminCommands(program: Command, io: Io): void {
  const admin = program
    .command("admin")
    .description("manage administrators' accounts")
    .addHelpText("after", help);
  addCreate(admin, io);
  addSetPassword(admin, io);
  addDeactivate(admin, io);
  addActivate(admin, io);
  addList(admin, io);
}

function addCreate(admin: Command, io: Io): void {
  admin
    .command("create")
    .description("create an account")
    .argument("<email>", "what it logs in with", emailAddress)
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

function addSetPassword(admin: Command, io: Io): void {
  admin
    .command("set-password <email>")
    .description("give an account another password")
    .addHelpText(
      "after",
      `${passwordHelp}\n\nExample:\n  npm run tea -- admin set-password ada@example.com`,
    )
    .action(async (email: string) => {
      const password = await newPassword(email, commandSettings(io), io);
      await withAccounts(io, async (accounts) => {
        const changed = await accounts.setPassword(email, password);
        print(io, `Set the password of administrator ${changed.email}`);
      });
    });
}

function addDeactivate(admin: Command, io: Io): void {
  admin
    .command("deactivate <email>")
    .description("shut an account out at once, its tokens too")
    .addHelpText("after", "\nExample:\n  npm run tea -- admin deactivate ada@example.com")
    .action((email: string) =>
      withAccounts(io, async (accounts) => {
        const changed = await accounts.setActive(email, false);
        print(io, `Administrator ${changed.email} is deactivated`);
      }),
    );
}

function addActivate(admin: Command, io: Io): void {
  admin
    .command("activate <email>")
    .description("let an account in again")
    .addHelpText("after", "\nExample:\n  npm run tea -- admin activate ada@example.com")
    .action((email: string) =>
      withAccounts(io, async (accounts) => {
        const changed = await accounts.setActive(email, true);
        print(io, `Administrator ${changed.email} is active`);
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
  const width = Math.max(0, ...accounts.map(({ email }) => email.length));
  return accounts.map(
    ({ email, role, isActive }) =>
      `${email.padEnd(width)}  ${role}  ${isActive ? "active" : "deactivated"}`,
  );
}

function withAccounts(io: Io, use: (accounts: Accounts) => Promise<void>): Promise<void> {
  const settings = commandSettings(io);
  return withMigratedDatabase(settings, async (databaseUrl) => {
    const { namedStatements } = settings.database;
    const sequelize = connect({ url: databaseUrl, poolSize: 1, namedStatements });
    try {
      await use(new Accounts(sequelize, new Passwords(settings.passwords)));
    } finally {
      await sequelize.close();
    }
  });
}
