/** What a column holds. A decimal is text with 2 decimals. */
export type Held = "integer" | "text" | "decimal" | "flag" | "time";

type HeldOf<Value> = [Value] extends [number]
  ? "integer"
  : [Value] extends [boolean]
    ? "flag"
    : [Value] extends [string]
      ? "text" | "decimal"
      : [Value] extends [Date]
        ? "time"
        : Held;

/** A column of a table that clients see. */
export interface Column<Value = unknown> {
  readonly holds: HeldOf<NonNullable<Value>>;
  /** Whether REST shows it, whose contract is frozen. GraphQL has fields for all columns. */
  readonly rest: boolean;
}

/** The attributes that a record declares. Those that every model inherits are optional, and left out. */
type Declared<Row> = keyof {
  [Name in keyof Row as Partial<Row> extends Pick<Row, Name> ? never : Name]: unknown;
};

/** All columns of a record, in the order in which REST shows them. A list that lacks one does not compile. */
export type Columns<Row extends object> = { readonly [Name in Declared<Row>]: Column<Row[Name]> };

/** The name of an attribute's column in the database, as the models have it (`underscored`). */
export const columnName = (attribute: string): string =>
  attribute.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value as clients see it: times are texts in ISO 8601. */
export type Shown<Value> = Value extends Date ? string : Value;

type RestNames<List> = {
  [Name in keyof List]: List[Name] extends { readonly rest: true } ? Name : never;
}[keyof List];

/** The columns that REST shows. */
export type RestColumns<List> = Pick<List, RestNames<List>>;

/** The columns that REST shows, in their order. */
export const restColumns = <List extends Readonly<Record<string, Column>>>(
  columns: List,
): RestColumns<List> =>
  Object.fromEntries(Object.entries(columns).filter(([, { rest }]) => rest)) as RestColumns<List>;
