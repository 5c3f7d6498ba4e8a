import * as React from "react";
import { rowOperations } from "../operations";
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
  readonly isSignedIn: boolean;
}

const narrow = globalThis.matchMedia("(max-width: 760px)");
const FOLDED_FIRST = ["folded", "shown"] as const;
const SHOWN_FIRST = ["shown", "folded"] as const;

/** The tools of the tab: folds its query, and copies a link to its operation. */
export function QueryPane(props: QueryPaneProps): React.ReactNode {
  const { tab, queryEditor, preferences, linkable, isSignedIn } = props;
  const operation = linkable.find(({ query }) => query === tab.query);
  // An administrator works with the form and the answer, so a prepared query is folded, which gives them more room.
  const isPrepared = operation ?? rowOperations.find(({ query }) => query === tab.query);
  const isAside = isPrepared && (isSignedIn || narrow.matches);
  const [view, setView] = useView(preferences, "query", isAside ? FOLDED_FIRST : SHOWN_FIRST);
  const isShown = view === "shown";
  // An editor that was hidden does not know its size.
  React.useEffect(() => queryEditor?.refresh(), [queryEditor, isShown]);
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
