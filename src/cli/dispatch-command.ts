import type { Command } from "commander";
import { dispatch } from "./dispatch";
import type { Io } from "./io";

const help = `
For shops whose webhooks are not to be sent by the processes that answer requests: these get DISPATCH=off, and the
settings of this command are theirs, with DATABASE_URL and JWT_SECRET. Any number of dispatchers may run, beside
processes without DISPATCH=off, too. It logs as the service does, serves metrics where METRICS says, and does not
start where the service would not.

On SIGTERM and SIGINT, it begins no more webhooks, waits for receivers for at most 5 s, stores what has become of
theirs, and gives the others back. It can be killed as well: another dispatcher sends what it was sending a minute
later.

Example:
  npm run tea -- dispatch`;

export function addDispatchCommand(program: Command, io: Io): void {
  program
    .command("dispatch")
    .description("send webhooks until SIGTERM, for a service with DISPATCH=off")
    .addHelpText("after", help)
    .action(() => dispatch(io));
}
