import * as React from "react";
import type { Prepared } from "../operations/prepared";
import type { ActiveTab } from "./active-tab";
import { CopyLink } from "./copy-link";
import type { Editors } from "./editors";
import { Pane } from "./pane";
import { useView } from "./view-switch";

interface QueryPaneProps {
  readonly tab: ActiveTab;
  readonly queryEditor: Editors["queryEditor"];
  readonly preferences: Storage;
  readonly linkable: readonly Prepared[];
}

/** Where there is little room, the form and the answer get it. */
const VIEWS = globalThis.matchMedia("(max-width: 760px)").matches
  ? (["folded", "shown"] as const)
  : (["shown", "folded"] as const);

/** The tools of the tab: folds its query, and copies a link to its operation. */
export function QueryPane(props: QueryPaneProps): React.ReactNode {
  const { tab, queryEditor, preferences, linkable } = props;
  const [view, setView] = useView(preferences, "query", VIEWS);
  const isShown = view === "shown";
  // An editor that was hidden does not know how large it is.
  React.useEffect(() => queryEditor?.refresh(), [queryEditor, isShown]);
  const operation = linkable.find(({ query }) => query === tab.query);
  return (
    <Pane within=".graphiql-editors" className="query-tools">
      <button
        type="button"
        className="fold"
        aria-expanded={isShown}
        onClick={() => setView(isShown ? "folded" : "shown")}
      >
        Query
      </button>
      {operation && tab.variables && <CopyLink {...{ operation, variables: tab.variables }} />}
    </Pane>
  );
}
