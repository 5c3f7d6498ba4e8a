import type { Command } from "commander";
import { connect } from "../database/pool";
import { Accounts, type AccountRecord } from "../services/administrators/accounts";
import { Passwords } from "../services/administrators/passwords";
import { emailAddress } from "./arguments";
import { withMigratedDatabase } from "./database";
import { print, type Io } from "./io";
import { newPassword, passwordHelp } from "./password";
import { commandSettings } from "./settings";

/** Adds `admin create`, `deactivate`, `activate`, `set-password` and `list`. */
export function addAdminCommands(program: Command, io: Io): void {
  const admin = program
    .command("admin")
    .description("manage administrators' accounts")
    .addHelpText(
      "after",
      `${passwordHelp}

Examples:
  npm run tea -- admin create ada@example.com
  npm run --silent tea -- admin set-password ada@example.com < password.txt
  npm run tea -- admin deactivate ada@example.com
  npm run tea -- admin activate ada@example.com
  npm run tea -- admin list`,
    );

  const withAdmins = (use: (admins: Accounts) => Promise<void>): Promise<void> => {
    const settings = commandSettings(io);
    return withMigratedDatabase(settings, async (databaseUrl) => {
      const sequelize = connect({
        url: databaseUrl,
        poolSize: 1,
        namedStatements: settings.database.namedStatements,
      });
      try {
        await use(new Accounts(sequelize, new Passwords(settings.passwords)));
      } finally {
        await sequelize.close();
      }
    });
  };

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
      await withAdmins(async (admins) => {
        await admins.create({ email, password });
        print(io, `Created administrator ${email}`);
      });
    });

  admin
    .command("set-password <email>")
    .description("give an account another password")
    .addHelpText(
      "after",
      `${passwordHelp}\n\nExample:\n  npm run tea -- admin set-password ada@example.com`,
    )
    .action(async (email: string) => {
      const password = await newPassword(email, commandSettings(io), io);
      await withAdmins(async (admins) => {
        const changed = await admins.setPassword(email, password);
        print(io, `Set the password of administrator ${changed.email}`);
      });
    });

  for (const [name, isActive, description, done] of [
    ["deactivate", false, "shut an account out at once, its tokens too", "is deactivated"],
    ["activate", true, "let an account in again", "is active"],
  ] as const) {
    admin
      .command(`${name} <email>`)
      .description(description)
      .addHelpText("after", `\nExample:\n  npm run tea -- admin ${name} ada@example.com`)
      .action((email: string) =>
        withAdmins(async (admins) => {
          const changed = await admins.setActive(email, isActive);
          print(io, `Administrator ${changed.email} ${done}`);
        }),
      );
  }

  admin
    .command("list")
    .description("list all accounts")
    .addHelpText("after", "\nExample:\n  npm run tea -- admin list")
    .action(() =>
      withAdmins(async (admins) => {
        const all = await admins.list();
        for (const line of linesOf(all)) print(io, line);
        if (all.length === 0) print(io, "There are no administrators");
      }),
    );
}

function linesOf(admins: readonly AccountRecord[]): string[] {
  const width = Math.max(0, ...admins.map(({ email }) => email.length));
  return admins.map(
    ({ email, role, isActive }) =>
      `${email.padEnd(width)}  ${role}  ${isActive ? "active" : "deactivated"}`,
  );
}
