import { getIntrospectionQuery } from "graphql";

/** The document by which the explorer signs in. */
export const LOGIN = "mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }";

/** The optional parts of the introspection query of graphql-js, on which most tools are built. */
const OPTIONS = [
  "descriptions",
  "specifiedByUrl",
  "directiveIsRepeatable",
  "schemaDescription",
  "inputValueDeprecation",
  "oneOf",
] as const;

/** The introspection query of graphql-js, with every combination of its options. */
const introspections = Array.from({ length: 2 ** OPTIONS.length }, (_, form) =>
  getIntrospectionQuery(
    Object.fromEntries(OPTIONS.map((option, bit) => [option, (form & (2 ** bit)) > 0])),
  ),
);

/** The query as the graphql-js in GraphiQL writes it: it has `kind` before `name`. */
const asInGraphiql = (introspection: string): string =>
  introspection.replaceAll(/name(\n *)kind/g, "kind$1name");

/** Documents of the service itself: the explorer needs them before anybody has signed in. */
export const ownDocuments: readonly string[] = [
  LOGIN,
  ...introspections,
  ...introspections.map(asInGraphiql),
];

/** Versions of graphql-js differ in white space, which never matters in these documents. */
const condensed = (document: string): string => document.replaceAll(/\s+/g, " ").trim();

const ownCondensed: ReadonlySet<string> = new Set(ownDocuments.map(condensed));
const LONGEST = 2 * Math.max(...ownDocuments.map(({ length }) => length));

/** Whether a document is one of these, whatever white space it has. */
export const isOwnDocument = (document: string): boolean =>
  document.length <= LONGEST && ownCondensed.has(condensed(document));
