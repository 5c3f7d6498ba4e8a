import { runProgram } from "./run-program";

/** A user of the operating system, by number. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** Looks a user up in the system's accounts; undefined where there is none. */
export async function lookUpUser(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => runProgram("id", [flag, name])));
  if (uid?.exitCode !== 0 || gid?.exitCode !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Whether a command succeeds for a user; undefined is this process's own. */
export async function succeeds(
  user: SystemUser | undefined,
  command: string,
  ...args: string[]
): Promise<boolean> {
  return (await runProgram(command, args, { user })).exitCode === 0;
}
