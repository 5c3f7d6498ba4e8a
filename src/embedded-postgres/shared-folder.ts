import { chmod, mkdir } from "node:fs/promises";
import { EmbeddedPostgresError } from "./error";

/**
 * Creates a folder that every user may enter, unlike root's home.
 *
 * @throws EmbeddedPostgresError
 */
export async function makePassable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, the user that it runs as can't reach this folder, and ${folder} ` +
        `can't be used either (${String(error)}): start as an ordinary user`,
      ["other-server"],
    );
  }
}
