import * as React from "react";
import type { Difference } from "./differences";
import { fieldName, ShownValue, type ValueSource } from "./shown-value";

interface DifferencesProps {
  readonly differences: readonly Difference[];
  readonly source: ValueSource;
}

const Unchanged = () => (
  <p>What you have seen of it is as it was. Its history says what has changed.</p>
);

/** Shows by field what was seen, what is there now, and what is wanted. */
export function DifferencesTable({ differences, source }: DifferencesProps): React.ReactNode {
  if (differences.length === 0) return <Unchanged />;
  const hasWanted = differences.some(({ wanted }) => wanted !== undefined);
  return (
    <table className="differences" aria-label="What has changed">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">You saw</th>
          <th scope="col">Now</th>
          {hasWanted && <th scope="col">You want</th>}
        </tr>
      </thead>
      <tbody>
        {differences.map(({ field, seen, now, wanted }) => {
          const shown = (value: unknown) => <ShownValue {...source} {...{ field, value }} />;
          return (
            <tr key={field}>
              <th scope="row">{fieldName({ ...source, field })}</th>
              <td>{seen === undefined ? "not shown" : shown(seen)}</td>
              <td>{shown(now)}</td>
              {hasWanted && <td>{wanted === undefined ? "no change" : shown(wanted)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Shows by field what was seen and what is there now, in short. */
export function DifferencesList({ differences, source }: DifferencesProps): React.ReactNode {
  if (differences.length === 0) return <Unchanged />;
  return (
    <ul>
      {differences.map(({ field, seen, now }) => {
        const shown = (value: unknown) => <ShownValue {...source} {...{ field, value }} />;
        return (
          <li key={field}>
            {fieldName({ ...source, field })}: {seen !== undefined && <>{shown(seen)} → </>}
            {shown(now)}
          </li>
        );
      })}
    </ul>
  );
}
