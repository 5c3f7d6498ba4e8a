import * as React from "react";
import { textOf } from "./answer-table";
import { linesOf } from "./audit-changes";
import { columnHeading, type TypedColumn } from "./columns";
import { linesOfTries } from "./delivery-tries";
import { cut, enumText, instantFormat, toneOf, type Tone } from "./format";
import { counted } from "./words";

/** A value that is too long for its cell. */
export interface Whole {
  readonly title: string;
  readonly text: string;
}

interface CellProps {
  readonly column: TypedColumn;
  readonly value: unknown;
  /** Must stay the same function, or all cells are rendered again with every change. */
  readonly onWhole: (whole: Whole) => void;
}

const tell = instantFormat();

/** Shows a value in a cell, by the type of its column. */
export const Cell = React.memo(function Cell({ column, value, onWhole }: CellProps) {
  if (value === null || value === undefined) return <NoValue />;
  const { kind } = column;
  const title = columnHeading(column);
  if (kind === "boolean") {
    return value === true ? <Badge tone="done" text="Yes" /> : <Badge tone="plain" text="No" />;
  }
  if (kind === "enum") {
    return <Badge tone={toneOf(textOf(value))} text={enumText(textOf(value))} />;
  }
  if (kind === "time") return <Instant instant={textOf(value)} />;
  if (kind === "changes") {
    const whole = linesOf(value, told);
    const lines = linesOf(value, (...change) => shortened(told(...change)));
    return <Lines {...{ title, whole, lines, onWhole }} />;
  }
  if (kind === "tries") {
    const whole = linesOfTries(value, instantText);
    const lines = linesOfTries(value, instantText, shortened);
    return <Lines {...{ title, whole, lines, onWhole }} />;
  }
  if (typeof value === "object") {
    const label = Array.isArray(value) ? counted(value.length, "item") : "Show";
    const show = () => onWhole({ title, text: JSON.stringify(value, null, 2) });
    return <WholeButton label={label} title={title} onClick={show} />;
  }
  const text = textOf(value);
  const beginning = cut(text);
  if (beginning === undefined) return <bdi>{text}</bdi>;
  return (
    <>
      <bdi>{beginning}</bdi>{" "}
      <WholeButton label="Show all" title={title} onClick={() => onWhole({ title, text })} />
    </>
  );
});

function WholeButton({
  label,
  title,
  onClick,
}: {
  label: string;
  title: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="link"
      aria-haspopup="dialog"
      aria-label={`${label}: ${title}`}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

const instantText = (instant: string): string => tell(instant) ?? instant;

const shortened = (text: string): string => cut(text) ?? text;

/** A text of a change as a cell of its field would show it. */
function told(text: string, field: string): string {
  if (field.endsWith("At")) return instantText(text);
  if (field === "status") return enumText(text);
  if (/^is[A-Z]/.test(field)) return text === "true" ? "Yes" : "No";
  return text;
}

/** The most lines that a cell shows. */
const LINES = 12;

interface LinesProps extends Pick<CellProps, "onWhole"> {
  readonly title: string;
  readonly lines: readonly string[];
  /** The lines with their whole texts. */
  readonly whole: readonly string[];
}

function Lines({ title, lines, whole, onWhole }: LinesProps) {
  const shown = lines.slice(0, LINES);
  const text = whole.join("\n");
  return (
    <>
      <ul className="lines">
        {shown.map((line, index) => (
          <li key={index}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
      {shown.join("\n") !== text && (
        <WholeButton label="Show all" title={title} onClick={() => onWhole({ title, text })} />
      )}
    </>
  );
}

const Badge = ({ tone, text }: { tone: Tone; text: string }) => (
  <span className="badge" data-tone={tone}>
    {text}
  </span>
);

function Instant({ instant }: { instant: string }) {
  const text = tell(instant);
  if (text === undefined) return <bdi>{instant}</bdi>;
  return (
    <time dateTime={instant} title={instant}>
      {text}
    </time>
  );
}

const NoValue = () => (
  <span className="no-value">
    <span aria-hidden="true">–</span>
    <span className="unseen">none</span>
  </span>
);
