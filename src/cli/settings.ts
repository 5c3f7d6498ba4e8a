import { localSettings } from "../config";
import type { LocalSettings } from "../config/settings";
import type { Io } from "./io";

export interface CommandSettings extends LocalSettings {
  /** The variable `ADMIN_PASSWORD`; the command decides for which account it counts. */
  readonly adminPassword: string | undefined;
}

/**
 * Reads the settings of a command. Commands do not create the first administrator, so `ADMIN_PASSWORD` may
 * be set without `ADMIN_EMAIL`.
 *
 * @throws ConfigError
 */
export function commandSettings({ environment, fileFaults }: Io): CommandSettings {
  const { ADMIN_EMAIL: _email, ADMIN_PASSWORD: password, ...rest } = environment;
  return { ...localSettings(rest, fileFaults), adminPassword: password || undefined };
}
