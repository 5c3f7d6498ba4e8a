import * as React from "react";
import type { Session } from "./session";

/** Whether somebody is signed in. Renders the component again whenever that changes. */
export function useIsSignedIn(session: Session): boolean {
  const subscribe = React.useCallback(
    (listener: () => void) => {
      session.addEventListener("change", listener);
      return () => session.removeEventListener("change", listener);
    },
    [session],
  );
  return React.useSyncExternalStore(subscribe, () => session.current !== null);
}
