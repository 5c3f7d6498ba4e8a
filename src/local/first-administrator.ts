import type { TeaShop } from "../app";
import type { Credentials, LocalSettings } from "../config/settings";
import { generatedAdministrator, keptAdministrator } from "./secrets";

/** How to log in, as far as it is known. */
export interface Login {
  /** The administrator's address, if it is known. */
  readonly email: string | undefined;
  /** The administrator that this start or an earlier one generated. */
  readonly generated: Credentials | undefined;
  /** Whether this start created the administrator. */
  readonly created: boolean;
}

/** Creates an administrator if there is none: the one in the settings or, by default, a generated one. */
export async function ensureAdministrator(
  { services: { accounts } }: TeaShop,
  { firstAdmin, dataDir }: Pick<LocalSettings, "firstAdmin" | "dataDir">,
): Promise<Login> {
  const existing = await accounts.list();
  if (existing.length === 0) {
    const generated = firstAdmin ? undefined : await generatedAdministrator(dataDir);
    const credentials = firstAdmin ?? generated;
    const created = credentials !== undefined && (await accounts.ensureFirst(credentials));
    return { email: credentials?.email, generated, created };
  }
  const kept = await keptAdministrator(dataDir);
  const generated = existing.some(({ email }) => email === kept?.email) ? kept : undefined;
  const named = existing.find(({ email }) => email === firstAdmin?.email);
  return { email: named?.email, generated, created: false };
}
