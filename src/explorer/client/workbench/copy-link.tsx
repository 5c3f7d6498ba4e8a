import * as React from "react";
import { say } from "../bar/status";
import type { Prepared } from "../operations/prepared";
import type { Variables } from "../service";
import { linkTo } from "./link";

interface CopyLinkProps {
  readonly operation: Prepared;
  readonly variables: Variables;
}

/** Copies the address of an operation with its variables. If copying is not allowed, shows the address, selected. */
export function CopyLink({ operation, variables }: CopyLinkProps): React.ReactNode {
  const link = linkTo(operation, variables, location.origin + location.pathname);
  const [shown, setShown] = React.useState<string>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      say("Link copied");
    } catch {
      setShown(link);
    }
  };
  return (
    <>
      <button type="button" className="quiet-button" onClick={() => void copy()}>
        Copy link
      </button>
      {shown === link && (
        <input
          className="link"
          aria-label="Link to this operation"
          readOnly
          value={link}
          ref={(field) => field?.select()}
        />
      )}
    </>
  );
}
