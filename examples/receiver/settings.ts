import { readFile } from "node:fs/promises";

/** What the entry points read from a file, because others can see a command line. */
export interface Settings {
  /** The endpoint's secret, which begins with `whsec_`. */
  readonly secret: string;
  readonly port: number;
  /** Of the mailer: where messages are handed in, such as `smtp://user:password@localhost:587`. */
  readonly smtp: string;
  /** Of the mailer: the shop as the sender of messages. */
  readonly from: { readonly name: string; readonly address: string };
  /** Of the mailer: the page that shows an order. */
  readonly orderPage: string;
  /** Of the mailer: the pages that confirm and end a subscription. */
  readonly newsletter: { readonly confirm: string; readonly unsubscribe: string };
  /** Of the mailer: the shop, such as `http://localhost:3000`. */
  readonly shop: string;
}

export async function readSettings<Name extends keyof Settings>(
  file: string | undefined,
  names: readonly Name[],
): Promise<Pick<Settings, Name>> {
  if (file === undefined) throw new Error("Which file has the settings?");
  const settings = JSON.parse(await readFile(file, "utf8")) as Settings;
  const missing = names.filter((name) => !Object.hasOwn(settings, name));
  if (missing.length > 0) throw new Error(`${file} lacks ${missing.join(", ")}`);
  return settings;
}
