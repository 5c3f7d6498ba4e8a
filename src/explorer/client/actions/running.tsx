import * as React from "react";
import type { Progress } from "./run-each";

interface RunningProps {
  readonly progress: Progress | undefined;
  readonly isStopping: boolean;
  readonly onStop: () => void;
}

/** How far a round has come. The button to stop it has no focus, lest a second Enter stop what the first began. */
export function Running({ progress, isStopping, onStop }: RunningProps): React.ReactNode {
  const { begun, of } = progress ?? { begun: 0, of: 1 };
  return (
    <>
      <progress value={begun} max={of} aria-label="Progress" />
      <p role="status" tabIndex={-1} data-focus>
        {begun} of {of}
        {isStopping && ", the last one before it stops"}
      </p>
      <div className="action-buttons">
        <button
          type="button"
          className="button"
          aria-disabled={isStopping}
          // The second click of two at once was meant for the button that was there before.
          onClick={(event) => event.detail < 2 && onStop()}
        >
          Stop
        </button>
      </div>
    </>
  );
}
