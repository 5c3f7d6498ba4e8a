import { userInfo } from "node:os";
import type { ChangeOrigin } from "../vocabulary/current-work";

/** The name of the user of the operating system; `uid 1000` if it has none. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Where the changes of a command, or of a start, come from. */
export const commandOrigin = (operation: string): ChangeOrigin => ({
  door: "COMMAND_LINE",
  operation,
  actor: systemUser(),
});
