import { DomainError, type ErrorCode } from "../../vocabulary/errors";
import type { LoginEnd, Meter } from "../../vocabulary/meter";

export type LoginMeter = Pick<Meter, "loginWaited" | "loginEnded">;

/** How a login ended, by the code of its refusal. Any other error is a failure of the service. */
const ends: Partial<Record<ErrorCode, LoginEnd>> = {
  INVALID_CREDENTIALS: "failed",
  UNAUTHENTICATED: "failed",
  TOO_MANY_REQUESTS: "blocked",
  UNAVAILABLE: "busy",
};

/** Tells a meter how long logins and changes of passwords wait for their turn, and how they end. */
export class MeasuredLogins {
  constructor(private readonly meter: LoginMeter) {}

  /** Runs a login. When its turn has come, the login must do its work through `turn`. */
  async run<T>(login: (turn: <Result>(task: () => Result) => Result) => Promise<T>): Promise<T> {
    const asked = performance.now();
    try {
      const result = await login((task) => {
        this.meter.loginWaited((performance.now() - asked) / 1000);
        return task();
      });
      this.meter.loginEnded("succeeded");
      return result;
    } catch (error) {
      const end = error instanceof DomainError ? ends[error.code] : undefined;
      this.meter.loginEnded(end ?? "broken");
      throw error;
    }
  }
}
