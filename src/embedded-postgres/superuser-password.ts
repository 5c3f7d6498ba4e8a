import { randomBytes } from "node:crypto";
import path from "node:path";
import { createDataFolder, keptOnce } from "./data-folder";
import { StartFault } from "./start-fault";

/** The password of the embedded database's superuser, generated once. */
export async function superuserPassword(dataDir: string): Promise<string> {
  await createDataFolder(dataDir);
  const file = path.join(dataDir, "postgres-password");
  const kept = await keptOnce(file, () => randomBytes(24).toString("base64url"));
  if (kept.trim() !== "") return kept.trim();
  throw new StartFault(`${file} is damaged; put the right one back, or move the data folder away`);
}
