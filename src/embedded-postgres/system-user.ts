import { runProgram } from "./run-program";

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** Finds a user of the operating system; undefined if there is none of that name. */
export async function lookUpUser(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => runProgram("id", [flag, name])));
  if (uid?.exitCode !== 0 || gid?.exitCode !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Whether a command succeeds when it runs as a user; undefined stands for the user of this process. */
export async function succeeds(
  user: SystemUser | undefined,
  command: string,
  ...args: string[]
): Promise<boolean> {
  return (await runProgram(command, args, { user })).exitCode === 0;
}
