import { OperatorError } from "../vocabulary/errors";
import { addressOf, bytesOf, controlIssue, type TextForm } from "./text-forms";

/** All issues of the configuration, a line for each: the variable and what it must be. */
export class ConfigError extends OperatorError {
  override readonly name = "ConfigError";

  constructor(readonly issues: readonly string[]) {
    super(issues.join("\n"));
  }
}

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** An address to listen on: port 0 takes any free port; without a host, it is that of all interfaces. */
export interface ServerSettings {
  readonly port: number;
  readonly host: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables one by one and collects the issues. An empty variable counts as not set. */
export class ConfigReader {
  private readonly issues: string[];

  /** @param known issues that were found before */
  constructor(
    private readonly environment: Environment,
    known: readonly string[] = [],
  ) {
    this.issues = [...known];
  }

  has(name: string): boolean {
    return Boolean(this.environment[name]);
  }

  text(name: string): string | undefined {
    const text = this.environment[name] ?? "";
    const issue = controlIssue(text);
    if (issue !== undefined) this.issue(name, issue);
    return issue === undefined && text !== "" ? text : undefined;
  }

  checked(name: string, { accepts, wanted }: TextForm): string | undefined {
    const text = this.text(name);
    if (text === undefined || accepts(text)) return text;
    this.issue(name, `must be ${wanted}`);
    return undefined;
  }

  /** A list may be on several lines. An issue quotes the wrong element only if its form is public. */
  list(name: string, { accepts, wanted, isPublic }: TextForm): readonly string[] | undefined {
    if (!this.has(name)) return undefined;
    const elements = (this.environment[name] ?? "").split(",").map((element) => element.trim());
    const wrong = elements.findIndex((each) => controlIssue(each) !== undefined || !accepts(each));
    if (wrong < 0) return elements;
    const named = isPublic ? JSON.stringify(elements[wrong]) : `number ${wrong + 1}`;
    this.issue(name, `must be a comma-separated list, each element ${wanted}; ${named} is not`);
    return undefined;
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    this.issue(name, `must be an integer from ${least} to ${most}`);
    return fallback;
  }

  /** An address to listen on; undefined if the variable is not set. */
  address(name: string): ServerSettings | undefined {
    const text = this.text(name);
    const address = text === undefined ? undefined : addressOf(text);
    if (text !== undefined && !address) {
      this.issue(name, "must be a port from 0 to 65535, or host:port such as 127.0.0.1:9464");
    }
    return address;
  }

  bytes(name: string, fallback: string): number {
    const value = bytesOf(this.text(name) ?? fallback);
    if (value !== undefined) return value;
    this.issue(name, "must be a number of bytes such as 102400, 100kb or 1mb");
    return 0;
  }

  oneOf<const T extends string>(name: string, fallback: T, values: readonly T[]): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = values.find((each) => each === text);
    if (value !== undefined) return value;
    this.issue(name, `must be one of ${values.join(", ")}`);
    return fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.text(name);
    if (text === undefined) return fallback;
    if (["on", "true", "1"].includes(text)) return true;
    if (["off", "false", "0"].includes(text)) return false;
    this.issue(name, "must be on or off");
    return fallback;
  }

  /** Adds an issue if a required variable is not set. If it is set but wrong, its issue was added before. */
  missing(name: string, { wanted }: TextForm): string {
    if (!this.has(name)) this.issue(name, `must be set: ${wanted}`);
    return "";
  }

  issue(name: string, what: string): void {
    this.issues.push(`${name} ${what}`);
  }

  assertValid(): void {
    if (this.issues.length > 0) throw new ConfigError(this.issues);
  }
}
