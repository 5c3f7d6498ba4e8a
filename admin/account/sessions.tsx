import { Button } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { Ask, AskButton, useAct } from "../parts/ask";
import { time } from "../parts/format";
import { Row, SmallTable } from "../parts/page";
import { t } from "../texts";
import { Part } from "./part";
import { endOtherSessions, endSession, sessions, type Session } from "./source";

const HEADINGS = ["client", "address", "started", "used", "end"].map((key) => `sessions.${key}`);

/** Where one is signed in, and how to end it there. */
export function Sessions() {
  const act = useAct();
  const row = ({ id, client, address, startedAt, lastUsedAt, isCurrent }: Session) => {
    const name = nameOf(client);
    const label = t("sessions.end_named", { name, at: time(startedAt) });
    const end = (): void => act(endSession(id), "sessions.ended");
    return [
      ...[<span title={client ?? ""}>{name}</span>, address],
      ...[time(startedAt), time(lastUsedAt)],
      isCurrent ? (
        <b>{t("sessions.current")}</b>
      ) : (
        <Button size="small" aria-label={label} onClick={end}>
          {t("sessions.end")}
        </Button>
      ),
    ];
  };
  return (
    <Part name="sessions" read={sessions}>
      {(all) => (
        <>
          <SmallTable label={t("sessions.title")} headings={HEADINGS} rows={all.map(row)} />
          {all.length > 1 && (
            <Row>
              <AskButton
                {...{ label: t("sessions.end_others"), title: t("sessions.end_others_title") }}
                {...{ isFinal: false, act: endOtherSessions, done: "sessions.others_ended" }}
              >
                {t("sessions.end_others_text")}
              </AskButton>
            </Row>
          )}
        </>
      )}
    </Part>
  );
}

/** Asks after a change of factors whether the other sessions shall end; yes is the default. */
export function EndOthers({ onClose }: { readonly onClose: () => void }) {
  const { data } = useQuery({ queryKey: ["account", "sessions"], queryFn: sessions });
  if ((data?.length ?? 0) < 2) return null;
  return (
    <Ask
      {...{ label: t("sessions.end_others"), title: t("sessions.end_others_title"), onClose }}
      {...{ isFinal: false, act: endOtherSessions, done: "sessions.others_ended" }}
    >
      {t("sessions.factor_changed")}
    </Ask>
  );
}

// Browsers name others, too: the first that fits is meant.
const BROWSERS = ["Edg/Edge", "OPR/Opera", "Firefox/Firefox", "Chrome/Chrome", "Safari/Safari"];
const SYSTEMS = [
  ...["Windows/Windows", "Android/Android", "iPhone/iPhone", "iPad/iPad"],
  ...["Mac OS/macOS", "Linux/Linux"],
];

const firstIn = (client: string, signs: readonly string[]): string | undefined =>
  signs.map((each) => each.split("/")).find(([sign = ""]) => client.includes(sign))?.[1];

/** The browser and system in `User-Agent`; of other programs, what they say. */
function nameOf(client: string | null): string {
  if (client === null) return t("sessions.unknown");
  const [browser, system] = [firstIn(client, BROWSERS), firstIn(client, SYSTEMS)];
  return browser && system ? t("sessions.on", { browser, system }) : client;
}
