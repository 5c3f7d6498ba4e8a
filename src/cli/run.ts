import { Command, CommanderError } from "commander";
import { addAdminCommands } from "./admin-command";
import { addCatalogueCommands } from "./catalogue-command";
import { addCustomerCommands } from "./customers-command";
import { addDispatchCommand } from "./dispatch-command";
import { releaseName, commandContext } from "../config/this-process";
import { inWriteContext } from "../vocabulary/current-work";
import { messageOf } from "../vocabulary/errors";
import { isReaderGone, note, ReaderGone, watchOutputs, type Io } from "./io";
import { addMigrateCommands } from "./migrate-command";
import { addOrderCommands } from "./orders-command";
import { addSecretsCommands } from "./secrets-command";
import { addSeedCommands } from "./seed-command";
import { addSubscriberCommands } from "./subscribers-command";
import { addTokenCommand } from "./token-command";

/** The exit code of programs that SIGPIPE has ended. */
const READER_GONE = 141;

/**
 * Runs one command; `args` are the words after the program's name. Returns the exit code: 0 for success, 1 if the
 * command failed and said why on standard error, or 141 if nobody reads its output any more. Never throws.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const faultOfOutput = watchOutputs(io);
  const exitCode = await perform(args, io);
  const fault = await faultOfOutput();
  if (exitCode !== 0 || !fault) return exitCode;
  if (isReaderGone(fault)) return READER_GONE;
  note(io, `error: Standard output can't be used: ${messageOf(fault)}`);
  return 1;
}

async function perform(args: readonly string[], io: Io): Promise<number> {
  try {
    await parse(createProgram(io), args);
    return 0;
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode;
    if (error instanceof ReaderGone) return READER_GONE;
    note(io, `error: ${messageOf(error)}`);
    return 1;
  }
}

/** Runs the command, all changes of which come from the command line. */
async function parse(program: Command, args: readonly string[]): Promise<void> {
  const writeContext = { ...commandContext(program.name()), operation: program.name() };
  program.hook("preAction", (_program, action) => void (writeContext.operation = wordsOf(action)));
  await inWriteContext(writeContext, () => program.parseAsync(args, { from: "user" }));
}

/** The words of a command without the program's, such as `catalogue import`. */
const wordsOf = (command: Command): string => {
  const words: string[] = [];
  for (let each = command; each.parent; each = each.parent) words.unshift(each.name());
  return words.join(" ");
};

function createProgram(io: Io): Command {
  const program = new Command("tea")
    .description("Manages the tea shop's database.")
    .version(releaseName, "-V, --version", "print version and commit")
    .usage("<command> [options]")
    .addHelpText(
      "after",
      `
The database is the one in DATABASE_URL, from the environment or the file .env. If that is not set, it is
the embedded one in DATA_DIR (.data).

Examples:
  npm run tea -- migrate up
  npm run tea -- admin create ada@example.com
  npm run tea -- seed demo
  npm run tea -- admin create --help`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .showHelpAfterError("(add --help for the options and examples)");
  addMigrateCommands(program, io);
  addAdminCommands(program, io);
  addSeedCommands(program, io);
  addCatalogueCommands(program, io);
  addOrderCommands(program, io);
  addSubscriberCommands(program, io);
  addCustomerCommands(program, io);
  addSecretsCommands(program, io);
  addTokenCommand(program, io);
  addDispatchCommand(program, io);
  return program;
}
