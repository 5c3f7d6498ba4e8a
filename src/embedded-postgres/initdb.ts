import { chown, mkdir, writeFile } from "node:fs/promises";
import { program, programEnvironment } from "./binaries";
import { EmbeddedPostgresError } from "./error";
import type { Placement } from "./placement";
import { runProgram } from "./run-program";
import { SUPERUSER } from "./server-address";

export interface ClusterOptions {
  readonly password: string;
  readonly durable: boolean;
}

/**
 * Creates a cluster in a folder that does not exist yet. The caller must delete `passwordFile` afterwards.
 *
 * @throws EmbeddedPostgresError
 */
export async function initdb(
  { binaries, user }: Pick<Placement, "binaries" | "user">,
  folder: string,
  passwordFile: string,
  { password, durable }: ClusterOptions,
): Promise<void> {
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  await mkdir(folder, { mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  const options = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    ...(durable ? [] : ["--no-sync"]),
  ];
  const { exitCode, stderr } = await runProgram(program(binaries, "initdb"), options, {
    user,
    env: programEnvironment,
  });
  if (exitCode !== 0) {
    throw new EmbeddedPostgresError(`PostgreSQL can't create a database here: ${stderr.trim()}`);
  }
}
