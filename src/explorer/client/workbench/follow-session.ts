import { onChange, type Session } from "../session/session";
import type { Workbench } from "./workbench";

const KEY = "tea-shop:owner";

interface FollowOptions {
  /** Remembers, over reloads, whose work is open. */
  readonly storage: Storage;
  /** Shows an administrator's first operation, if there is no work to go on with. */
  readonly welcome: () => void;
}

/**
 * Keeps an administrator's open tabs private: signing out clears them, and so does a sign-in of another administrator.
 * After an expiry they stay for their owner. A query that was refused runs again after a sign-in.
 */
export function followSession(
  session: Session,
  workbench: Workbench,
  { storage, welcome }: FollowOptions,
): void {
  /** Clears another administrator's work. Returns false if the administrator here is a new one. */
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
