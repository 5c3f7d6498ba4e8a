import { chmod, mkdir } from "node:fs/promises";
import { EmbeddedPostgresError } from "./error";

/**
 * Creates a folder that everyone may pass through, unlike root's home.
 *
 * @throws EmbeddedPostgresError
 */
export async function makePassable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and its user can't reach this folder; nor can ${folder} be used ` +
        `(${String(error)}): start as an ordinary user`,
      ["other-server"],
    );
  }
}
