/**
 * The connection strings of the hosts that a connection string names, one for each. Several hosts are separated by
 * commas, as libpq writes them: `postgres://user:password@a:5432,b:5433/shop`.
 */
export function hostsOf(text: string): readonly string[] {
  const { before, hosts, after } = partsOf(text);
  return hosts.map((host) => before + host + after);
}

/** The hosts and the database of a connection string, without the user and the password. */
export function placeOf(text: string): { readonly hosts: string; readonly database: string } {
  const { hosts, after } = partsOf(text);
  return { hosts: hosts.join(), database: after.split(/[?#]/)[0]?.slice(1) ?? "" };
}

/** The parameter that says which servers may be used. */
const ATTRIBUTES = "target_session_attrs";

/** Whether a connection string asks for the host that takes writes: it names several, or says so. */
export const wantsPrimary = (text: string): boolean =>
  partsOf(text).hosts.length > 1 || attributesOf(text) !== undefined;

/** Whether a text is a connection string that the service can use. */
export function isConnectionString(text: string): boolean {
  const { hosts } = partsOf(text);
  return (
    hostsOf(text).every(isOfOneHost) &&
    (hosts.length === 1 || !hosts.includes("")) &&
    [undefined, "read-write", "primary"].includes(attributesOf(text))
  );
}

/** Whether a text is a connection string that names one host, whatever that is. */
export function isOfOneHost(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, searchParams } = new URL(text);
  return (
    ["postgres:", "postgresql:"].includes(protocol) &&
    pathname.length > 1 &&
    !searchParams.get("host")?.includes(",")
  );
}

function attributesOf(text: string): string | undefined {
  const [first = ""] = hostsOf(text);
  return URL.canParse(first)
    ? (new URL(first).searchParams.get(ATTRIBUTES) ?? undefined)
    : undefined;
}

function partsOf(text: string) {
  const start = text.indexOf("://") + "://".length;
  const length = text.slice(start).search(/[/?#]/);
  const end = length < 0 ? text.length : start + length;
  const first = text.slice(0, end).lastIndexOf("@") + 1 || start;
  return {
    before: text.slice(0, first),
    hosts: text.slice(first, end).split(","),
    after: text.slice(end),
  };
}
