import type { Variables } from "../service";

/** What operations know of the shop's things, by field. A row shows the fields that its query selects. */
export interface Entities {
  Order: {
    readonly id: number;
    readonly customerEmail: string;
    readonly totalAmount: string;
    readonly status: "PENDING" | "PAID" | "CANCELLED";
  };
  Product: {
    readonly id: number;
    readonly name: string;
    readonly slug: string;
    readonly description: string;
    readonly price: string;
    readonly isActive: boolean;
    readonly categoryId: number;
  };
  Category: {
    readonly id: number;
    readonly name: string;
    readonly slug: string;
    readonly isActive: boolean;
  };
  NewsletterSubscriber: {
    readonly id: number;
    readonly email: string;
    readonly isActive: boolean;
  };
}

export type TypeName = keyof Entities;

/** Values by the names of their fields. */
export type Values = Readonly<Record<string, unknown>>;

/** An operation that acts on a row. */
export interface RowOperation extends Acting<Values, Values> {
  readonly type: TypeName;
  readonly fields: readonly string[];
}

interface Acting<Row, Whole> {
  /** What its button says. */
  readonly label: string;
  /** A document with one operation, which has a name. */
  readonly query: string;
  /** On which rows; left out: on all. */
  when?(row: Row): boolean;
  variables(row: Row): Variables;
  readonly does: Opens | Asks | TakesInput<Row, Whole>;
}

/** A query, which is opened in a tab and runs at once. */
interface Opens {
  readonly kind: "opens";
  /** The field whose cell starts it, in place of a button. */
  readonly from?: string;
}

/** A mutation that runs once the administrator has agreed. */
export interface Asks {
  readonly kind: "asks";
  /** @param things such as "order 12 of anna@example.com (23.50)" or "3 orders" */
  question(things: string): string;
  /** What the button says that agrees for one row, unless it is the label. */
  readonly verb?: string;
  /** What the button says for several rows: @param count such as "4" or "3 of 4" */
  several(count: string): string;
  /** What the things then are, such as "paid". */
  readonly done: string;
  /** Whether it can't be undone. */
  readonly isFinal?: boolean;
  readonly deletes?: boolean;
  /** What it changes in the row, where the mutation does not answer with the object. */
  readonly changes?: Values;
}

/** A mutation whose variables the administrator fills in. */
export interface TakesInput<Row = Values, Whole = Values> {
  readonly kind: "takes input";
  title(row: Row): string;
  /** What the button says that sends it. */
  readonly verb: string;
  /** Variables that are known and not asked for. */
  readonly hidden?: readonly string[];
  /** Reads what the form begins with, where a row need not show it. */
  readonly loads?: {
    /** Takes the row's `id`; its one field answers the object. */
    readonly query: string;
    variables(whole: Whole): Variables;
  };
  /** The variable of which only what was changed is sent. */
  readonly onlyChanges?: string;
  /** @param values what the mutation answers */
  done(values: Values): string;
}

/** An operation that acts on rows of the type where they show the fields. */
export const onRows = <T extends TypeName, Field extends string & keyof Entities[T]>(
  type: T,
  fields: readonly Field[],
  operation: Acting<Pick<Entities[T], Field>, Entities[T]>,
): RowOperation => ({ type, fields, ...operation });
