import type { TeaShop } from "../app";
import type { Credentials, LocalSettings } from "../config/settings";
import { addressKey } from "../vocabulary/text/email-address";
import { generatedAdministrator, keptAdministrator } from "./secrets";

/** What is known about how to log in. */
export interface Login {
  /** The administrator's address, if it is known. */
  readonly email: string | undefined;
  /** The administrator that this start or an earlier one generated, if the password is still the same. */
  readonly generated: Credentials | undefined;
  /** Whether an earlier start generated an administrator whose generated password is no longer valid. */
  readonly outdated: boolean;
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
    return { email: credentials?.email, generated, outdated: false, created };
  }
  const kept = await keptAdministrator(dataDir);
  const generated = kept && (await accounts.accept(kept)) ? kept : undefined;
  const known = [firstAdmin?.email, kept?.email].map((email = "") => addressKey(email));
  const named = existing.find(
    ({ email, isActive }) => isActive && known.includes(addressKey(email)),
  );
  const outdated = kept !== undefined && generated === undefined;
  return { email: named?.email, generated, outdated, created: false };
}
