import type { Variables } from "../service";

/** The fields of the shop's objects that operations use. A row has those that its query selects. */
export interface Entities {
  Order: {
    readonly id: number;
    readonly customerEmail: string;
    readonly totalAmount: string;
    readonly status: "PENDING" | "PAID" | "CANCELLED";
    readonly version: number;
  };
  Product: {
    readonly id: number;
    readonly name: string;
    readonly slug: string;
    readonly description: string;
    readonly price: string;
    readonly isActive: boolean;
    readonly categoryId: number;
    readonly version: number;
  };
  Category: {
    readonly id: number;
    readonly name: string;
    readonly slug: string;
    readonly isActive: boolean;
    readonly version: number;
  };
  NewsletterSubscriber: {
    readonly id: number;
    readonly email: string;
    readonly isActive: boolean;
  };
  WebhookEndpoint: {
    readonly id: number;
    readonly url: string;
    readonly description: string;
    readonly types: readonly string[];
    readonly includeLookup: boolean;
    readonly isActive: boolean;
    readonly version: number;
  };
  Delivery: {
    readonly id: string;
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
  /** The label of its button. */
  readonly label: string;
  /** A document with one operation, which has a name. */
  readonly query: string;
  /** Whether it can run on a row; by default on all rows. */
  when?(row: Row): boolean;
  variables(row: Row): Variables;
  readonly does: Opens | Asks | TakesInput<Row, Whole>;
}

/** An operation that is opened in a tab. A query runs at once, and a mutation once the administrator runs it. */
interface Opens {
  readonly kind: "opens";
  /** The field whose cell starts it, instead of a button. */
  readonly from?: string;
  /** Whether only administrators may run it. */
  readonly isForAdministrators?: boolean;
}

/** A mutation that runs once the administrator has agreed. */
export interface Asks {
  readonly kind: "asks";
  /** @param things names the objects, such as "order 12 of anna@example.com (23.50)" or "3 orders" */
  question(things: string): string;
  /** The label of the button that agrees, for one row; by default `label`. */
  readonly verb?: string;
  /**
   * The label of the button for several rows.
   *
   * @param count such as "4" or "3 of 4"
   */
  several(count: string): string;
  /** The state of the objects afterwards, such as "paid". */
  readonly done: string;
  /** Whether the mutation can't be undone. */
  readonly isFinal?: boolean;
  readonly deletes?: boolean;
  /** The values that it sets, to be shown beside others that somebody else has set meanwhile. */
  readonly sets?: Values;
  /** The values that it changes in the row, if the mutation does not answer with the object. */
  readonly changes?: Values;
  readonly followUp?: FollowUp;
}

/** Reads what has come of a mutation that only begins something. */
export interface FollowUp {
  /** Takes the row's `id`. */
  readonly query: string;
  /**
   * Why it failed: empty if it has succeeded, undefined while nobody knows.
   *
   * @param read the data of the query
   * @param begun the object that the mutation returned
   */
  faultIn(read: Values, begun: Values): string | undefined;
}

/** A mutation whose variables the administrator fills in. */
interface TakesInput<Row = Values, Whole = Values> {
  readonly kind: "takes input";
  title(row: Row): string;
  /** The label of the button that sends it. */
  readonly verb: string;
  /** Variables that are known, so that the form does not ask for them. */
  readonly hidden?: readonly string[];
  /** Reads the form's first values, if a row may not have them. */
  readonly loads?: {
    /** Takes the row's `id`; its only field returns the object. */
    readonly query: string;
    variables(whole: Whole): Variables;
  };
  /** The variable of which only changed fields are sent. */
  readonly onlyChanges?: string;
  /** @param values the object that the mutation returns */
  done(values: Values): string;
}

export interface InputOperation extends RowOperation {
  readonly does: TakesInput;
}

/** An operation that acts on rows of a type, if they show these fields. */
export const onRows = <T extends TypeName, Field extends string & keyof Entities[T]>(
  type: T,
  fields: readonly Field[],
  operation: Acting<Pick<Entities[T], Field>, Entities[T]>,
): RowOperation => ({ type, fields, ...operation });
