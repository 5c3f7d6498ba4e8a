import type { Command } from "commander";
import { connect } from "../database/connection/pool";
import { Accounts } from "../services/administrators/accounts";
import { CreateProgramTokenInput } from "../services/administrators/inputs";
import { Passwords } from "../services/administrators/passwords";
import { ProgramTokens } from "../services/administrators/program-tokens";
import { Tokens } from "../services/administrators/tokens";
import { validate } from "../services/input/validate";
import { OperatorError } from "../vocabulary/errors";
import { emailAddress, time } from "./arguments";
import { commandSettings, serviceSettings, withMigratedDatabase } from "./database";
import { print, type Io } from "./io";

const help = `
The token is printed this once. It has the rights of the administrator, but for what is of accounts, exports, and
what needs a fresh look. It ends with the administrator's password, with the account, and under Account in /admin.

Examples:
  npm run --silent tea -- token create ada@example.com --name "Label printer" --ends 2027-06-01 --read-only`;

interface Options {
  readonly name: string;
  readonly ends: Date;
  readonly readOnly?: boolean;
}

export function addTokenCommand(program: Command, io: Io): void {
  program
    .command("token")
    .description("create tokens for programs")
    .addHelpText("after", help)
    .command("create")
    .description("create a token for a program")
    .argument("<email>", "the administrator whose rights it has", emailAddress)
    .requiredOption("--name <name>", "what people call it")
    .requiredOption("--ends <time>", "when it ends, after a year at the latest", time)
    .option("--read-only", "it may call only what changes nothing")
    .addHelpText("after", help)
    .action((email: string, options: Options) => create(email, options, io));
}

/** @throws OperatorError if the account is not active; DomainError NOT_FOUND, INVALID_INPUT */
async function create(email: string, options: Options, io: Io): Promise<void> {
  const { name, ends: endsAt, readOnly = false } = options;
  const input = validate(CreateProgramTokenInput, { name, endsAt, readOnly });
  const command = commandSettings(io);
  await withMigratedDatabase(command, async (databaseUrl) => {
    const settings = await serviceSettings(command, databaseUrl);
    const { namedStatements } = settings.database;
    const sequelize = connect({ url: databaseUrl, poolSize: 1, namedStatements });
    try {
      const account = await new Accounts(sequelize, new Passwords(settings.passwords)).get(email);
      if (!account.isActive) throw new OperatorError(`Administrator ${email} is deactivated`);
      const tokens = new ProgramTokens(sequelize, new Tokens(settings.tokens, settings.data));
      print(io, (await tokens.create(account.id, input)).secret);
    } finally {
      await sequelize.close();
    }
  });
}
