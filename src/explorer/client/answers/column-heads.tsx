import * as React from "react";
import { columnHeading, type TypedColumn } from "./columns";
import { SelectBox } from "./select-box";
import type { Order } from "./sorting";
import type { Moves } from "./use-moves";

interface ColumnHeadsProps {
  readonly columns: readonly TypedColumn[];
  readonly moves: Moves;
  /** Undefined if the rows of the table can't be selected. */
  readonly selectAll: { isChecked: boolean; isMixed: boolean; onChange: () => void } | undefined;
  readonly hasButtons: boolean;
}

/** The names of a table's columns. Those by which the list can be sorted are buttons. */
export function ColumnHeads(props: ColumnHeadsProps): React.ReactNode {
  const { columns, moves, selectAll, hasButtons } = props;
  return (
    <thead role="rowgroup">
      <tr role="row">
        {selectAll && (
          <th role="columnheader" scope="col" className="select">
            <SelectBox label="Select all rows" {...selectAll} />
          </th>
        )}
        {columns.map((column) => (
          <ColumnHead key={column.path.join(".")} column={column} moves={moves} />
        ))}
        {hasButtons && (
          <th role="columnheader" scope="col" className="row-end">
            <span className="unseen">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

const ARROWS: Readonly<Record<Order, string>> = { ascending: "↑", descending: "↓", none: "↕" };

function ColumnHead({ column, moves }: { column: TypedColumn; moves: Moves }) {
  const heading = columnHeading(column);
  const order = moves.orderOf(column);
  return (
    <th role="columnheader" scope="col" data-kind={column.kind} aria-sort={order}>
      {order === undefined ? (
        heading
      ) : (
        <button type="button" className="sort" onClick={() => moves.sortBy(column)}>
          {heading}
          <span className="arrow" aria-hidden="true">
            {ARROWS[order]}
          </span>
        </button>
      )}
    </th>
  );
}
