import { releaseName } from "../config/this-process";
import { type Login, administratorFile } from "./secrets";

/** Where `npm start` talks to a person: standard output, unless a program reads the log there. */
export interface Terminal {
  readonly isInteractive: boolean;
  /** Says something that anybody who starts the service must know. */
  say(text: string): void;
  /** Says what the start is doing; only a person wants to know. */
  step(text: string): void;
}

export const terminal: Terminal = {
  isInteractive: process.stdout.isTTY,
  say: (text) => {
    (terminal.isInteractive ? process.stdout : process.stderr).write(`${text}\n`);
  },
  step: (text) => {
    if (terminal.isInteractive) terminal.say(`  ${text} …`);
  },
};

interface BannerFacts extends Login {
  readonly address: string;
  readonly dataDir: string;
  readonly isEmbedded: boolean;
  readonly hasExplorer: boolean;
  readonly seconds: number;
  readonly metrics: string | undefined;
}

export function banner(facts: BannerFacts): string {
  const { address, dataDir, isEmbedded, hasExplorer, metrics } = facts;
  const rows = [
    ["REST", address],
    ["GraphQL", `${address}/graphql`],
    ...(hasExplorer
      ? [
          ["Explorer", `${address}/explorer`],
          ["Docs", `${address}/docs`],
        ]
      : []),
    ...(metrics === undefined ? [] : [["Metrics", `${metrics}/metrics`]]),
    ["Try", `${address}/products`],
    [
      "Data",
      isEmbedded ? dataDir : `the database of DATABASE_URL; generated secrets in ${dataDir}`,
    ],
    ...loginRows(facts),
    ["Stop", "Ctrl-C"],
  ];
  const lines = rows.map(([label = "", text = ""]) => `  ${label.padEnd(10)} ${text}`);
  const title = `  The tea shop ${releaseName} is open: ready in ${facts.seconds.toFixed(1)} s.`;
  return ["", title, "", ...lines, ""].join("\n");
}

function loginRows(facts: BannerFacts): string[][] {
  const { address, dataDir, email, generated, outdated, created } = facts;
  const file = administratorFile(dataDir);
  if (generated === undefined) {
    const who = email === undefined ? "with an administrator's address" : `as ${email}`;
    return [
      ["Log in", `${who} and password: POST ${address}/auth/login`],
      ...(outdated ? [["Password", `no longer the one in ${file}`]] : []),
    ];
  }
  const command = `curl -s -H 'Content-Type: application/json' -d @${quoted(file)} ${address}/auth/login`;
  return [
    ["Log in", command],
    ["As", generated.email],
    ["Password", created ? `${generated.password} (kept in ${file})` : `kept in ${file}`],
  ];
}

const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
