import type { Logger } from "pino";

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
