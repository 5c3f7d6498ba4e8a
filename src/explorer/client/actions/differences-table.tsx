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
  const columns: readonly [heading: string, of: keyof Difference, otherwise: string][] = [
    ["You saw", "seen", "not shown"],
    ["Now", "now", ""],
    ["You want", "wanted", "no change"],
  ];
  const hasWanted = differences.some(({ wanted }) => wanted !== undefined);
  const shown = hasWanted ? columns : columns.slice(0, 2);
  return (
    <div className="differences" role="group" aria-label="What has changed" tabIndex={0}>
      {/* Roles, because on a phone the elements lose their own. */}
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {["Field", ...shown.map(([heading]) => heading)].map((heading) => (
              <th key={heading} role="columnheader" scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {differences.map((each) => (
            <tr key={each.field} role="row">
              <th role="rowheader" scope="row">
                {fieldName({ ...source, field: each.field })}
              </th>
              {shown.map(([heading, of, otherwise]) => (
                <td key={of} role="cell" data-label={heading}>
                  {each[of] === undefined ? (
                    otherwise
                  ) : (
                    <ShownValue {...source} field={each.field} value={each[of]} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
