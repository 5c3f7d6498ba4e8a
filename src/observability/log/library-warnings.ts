import type { Logger } from "pino";
import type { Settings } from "../../config/settings";

/**
 * Logs what libraries print with `console.warn`, because every line of the log must be a JSON object. When a
 * connection breaks during a transaction, Sequelize also warns that it can't roll back. That is logged for debugging
 * only, because the line of the failure itself says more.
 */
export const libraryWarnings =
  (logger: Logger) =>
  (message: unknown): void => {
    const text = String(message);
    if (text.startsWith("Rolling back transaction")) logger.debug(text);
    else logger.warn(text);
  };

/** Logs Node's warnings, which Node would print as plain text. */
export function logNodeWarnings(logger: Logger): void {
  process.removeAllListeners("warning");
  process.on("warning", (err) => logger.warn({ err }, "Node warns"));
}

/** Logs that a process starts, and the settings that have no effect any more. */
export function logStart(
  logger: Logger,
  { release, formerSettings }: Pick<Settings, "release" | "formerSettings">,
): void {
  logger.info({ ...release, node: process.version }, "starting");
  if (formerSettings.length > 0) {
    logger.warn(`settings that are gone, and have no effect: ${formerSettings.join(", ")}`);
  }
}
