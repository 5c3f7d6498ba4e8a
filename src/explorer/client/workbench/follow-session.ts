import { onChange, type Session } from "../session/session";
import type { Workbench } from "./workbench";

const KEY = "tea-shop:owner";

interface FollowOptions {
  /** Keeps whose work is open, over reloads. */
  readonly storage: Storage;
  /** Shows what an administrator begins with, where there is no work to go on with. */
  readonly welcome: () => void;
}

/**
 * Keeps what one administrator has open from others: signing out clears it, and so does a sign-in of another
 * one. After an expiry it stays for whom it belongs to; a query that was refused runs again after a sign-in.
 */
export function followSession(
  session: Session,
  workbench: Workbench,
  { storage, welcome }: FollowOptions,
): void {
  /** Returns whether the work was that of the administrator before. */
  const own = (): boolean => {
    const owner = storage.getItem(KEY);
    const email = session.current?.email;
    if (email === undefined || owner === email) return true;
    if (owner !== null) workbench.clear();
    storage.setItem(KEY, email);
    return false;
  };
  onChange(session, ({ reason, isElsewhere }) => {
    if (reason === "signed-out") {
      workbench.clear();
      storage.removeItem(KEY);
    } else if (reason === "signed-in") {
      const isBack = own();
      if (!workbench.resume() && !isBack && !isElsewhere) welcome();
    }
  });
  own();
}
