import * as React from "react";
import type { Moves } from "./use-moves";

interface PageButtonsProps {
  readonly moves: Moves;
  readonly isBusy: boolean;
  /** The caption of the table. */
  readonly name: string;
}

/** The buttons to the other parts of a list. They keep the focus even when they lead nowhere. */
export function PageButtons({ moves, isBusy, name }: PageButtonsProps): React.ReactNode {
  const { paging, next, previous } = moves;
  if (!paging) return null;
  const { current, totalPages } = paging;
  const place =
    typeof current === "number"
      ? `Page ${current}${totalPages === undefined ? "" : ` of ${Math.max(1, totalPages)}`}`
      : "";
  return (
    <nav className="table-foot" aria-label={`Pages of ${name}`}>
      <PageButton label="Previous" onClick={previous} isBusy={isBusy} />
      <span>{place}</span>
      <PageButton label="Next" onClick={next} isBusy={isBusy} />
    </nav>
  );
}

function PageButton({
  label,
  onClick,
  isBusy,
}: {
  label: string;
  onClick: (() => void) | undefined;
  isBusy: boolean;
}) {
  return (
    <button
      type="button"
      className="button"
      aria-disabled={onClick === undefined}
      onClick={() => {
        if (!isBusy) onClick?.();
      }}
    >
      {label}
    </button>
  );
}
