import { localSettings } from "../config";
import type { LocalSettings } from "../config/settings";
import type { Io } from "./io";

/** Settings of a command. */
export interface CommandSettings extends LocalSettings {
  /** The variable as it stands; a command decides whom it is for. */
  readonly adminPassword: string | undefined;
}

/**
 * Reads the settings of a command. The first administrator is no concern of a command, so that
 * `ADMIN_PASSWORD` may be set without `ADMIN_EMAIL`.
 *
 * @throws ConfigError
 */
export function commandSettings({ environment }: Io): CommandSettings {
  const { ADMIN_EMAIL: _email, ADMIN_PASSWORD: password, ...rest } = environment;
  return { ...localSettings(rest), adminPassword: password || undefined };
}
