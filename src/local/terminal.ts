/** Where `npm start` talks to a person: standard output, unless a program reads the log there. */
export interface Terminal {
  /** Whether a person reads standard output. */
  readonly isInteractive: boolean;
  /** Says something that anybody who starts the service must know. */
  say(text: string): void;
  /** Says what the start is doing; only a person wants to know. */
  step(text: string): void;
}

export const terminal: Terminal = {
  isInteractive: process.stdout.isTTY,
  say: (text) => {
    (terminal.isInteractive ? process.stdout : process.stderr).write(`${text}\n`);
  },
  step: (text) => {
    if (terminal.isInteractive) terminal.say(`  ${text} …`);
  },
};
