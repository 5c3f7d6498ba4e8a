import type { Arbitrary } from "fast-check";
import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLNonNull,
  isCompositeType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";
import { anyDraws, type Draws } from "./draws";
import { writeValue, type InputText } from "./graphql-values";

/** A request to the GraphQL door; variables and extensions are JSON text. */
export interface GeneratedRequest {
  readonly query: string;
  readonly variables: string;
  readonly operationName: string | undefined;
  readonly extensions: string | undefined;
}

const MOST_FIELDS = 30;
const MOST_LEVELS = 8;

type Field = GraphQLField<unknown, unknown>;

/** Requests that are made of a schema: most are valid, all ask for what is there or nearly there. */
export const anyRequest = (schema: GraphQLSchema): Arbitrary<GeneratedRequest> =>
  anyDraws.map((draws) => new DocumentWriter(schema, draws).request());

/** Writes one document with its variables. */
class DocumentWriter {
  private readonly declarations: string[] = [];
  private readonly declared = new Map<string, string[]>();
  private readonly values: string[] = [];
  private readonly fragments: { readonly type: GraphQLObjectType; readonly text: string }[] = [];
  private fields = 0;
  private names = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly draws: Draws,
  ) {}

  request(): GeneratedRequest {
    const { draws } = this;
    const kind = draws.inPercent(35) ? "mutation" : "query";
    const root = kind === "query" ? this.schema.getQueryType() : this.schema.getMutationType();
    if (!root) throw new Error(`The schema knows no ${kind}`);
    const selections = this.selections(root, 0, false);
    const shown = draws.inPercent(2) ? "subscription" : kind;
    const declarations = this.declarations.length > 0 ? `(${this.declarations.join(", ")})` : "";
    const isNamed = draws.inPercent(30);
    const operation = `${shown}${isNamed ? " Main" : ""}${declarations} ${selections}`;
    const other = isNamed && draws.inPercent(10) ? ["query Other { __typename }"] : [];
    const fragments = this.fragments.map(
      ({ type, text }, index) => `fragment F${index} on ${type.name} ${text}`,
    );
    const query = [operation, ...other, ...fragments].join("\n");
    const ownName = isNamed ? "Main" : undefined;
    return {
      query: draws.inPercent(8) ? this.damaged(query) : query,
      variables: draws.inPercent(2) ? draws.json() : `{${this.values.join(",")}}`,
      operationName: draws.inPercent(3) ? draws.oneOf(["Other", "Nope", "", undefined]) : ownName,
      extensions: draws.inPercent(5) ? draws.oneOf(['{"cost":true}', draws.json()]) : undefined,
    };
  }

  private newName(prefix: string): string {
    this.names += 1;
    return `${prefix}${this.names}`;
  }

  /** Some of a type's fields. Inside a fragment everything has a name of its own, so that all merges. */
  private selections(type: GraphQLObjectType, level: number, inFragment: boolean): string {
    const { draws } = this;
    const isAboutSchema = type === this.schema.getQueryType() && draws.inPercent(6);
    const all: Field[] = isAboutSchema
      ? [SchemaMetaFieldDef, TypeMetaFieldDef]
      : [...Object.values(type.getFields()), TypeNameMetaFieldDef];
    const leaves = all.filter((field) => !isCompositeType(getNamedType(field.type)));
    const isFull = level >= MOST_LEVELS || this.fields >= MOST_FIELDS;
    const taken = new Set<string>();
    const offered = isFull && leaves.length > 0 ? leaves : all;
    // Introspection's types are asked for seldom, hence for most of each.
    const isRare = type.name.startsWith("__");
    const length = isRare ? Math.min(offered.length, 7) : draws.oneOf([1, 2, 2, 3, 4]);
    const inTurn = [...offered, ...offered].slice(draws.below(offered.length));
    const parts = Array.from({ length }, (_, index) => {
      const field = (isRare ? inTurn[index] : undefined) ?? draws.oneOf(offered);
      return this.wrapped(this.field(field, level, inFragment, taken), type, level, inFragment);
    });
    return `{ ${parts.join(" ")} }`;
  }

  private field(field: Field, level: number, inFragment: boolean, taken: Set<string>): string {
    const { draws } = this;
    this.fields += 1;
    const result = getNamedType(field.type);
    const isPlain = field.args.length === 0 && !isCompositeType(result);
    const needsAlias = !isPlain && (inFragment || taken.has(field.name));
    const alias = needsAlias || draws.inPercent(8) ? `${this.newName("a")}: ` : "";
    taken.add(field.name);
    // Of an id and a slug one is to be given.
    const isKeyed = field.args.some(({ name }) => name === "slug") && draws.inPercent(85);
    const key = isKeyed ? draws.oneOf(["id", "slug"]) : undefined;
    const isGiven = (argument: GraphQLArgument): boolean => {
      if (key !== undefined) return argument.name === key;
      if (isRequiredArgument(argument)) return draws.inPercent(99);
      return draws.inPercent(argument.name === "includeDeprecated" ? 80 : 45);
    };
    const given = field.args.filter(isGiven).map((argument) => {
      const hasDefault = argument.defaultValue !== undefined;
      return `${argument.name}: ${this.input(argument.type, argument.name, hasDefault).literal}`;
    });
    const written = given.length > 0 ? `(${given.join(", ")})` : "";
    const inner = isObjectType(result) ? ` ${this.selections(result, level + 1, inFragment)}` : "";
    return `${alias}${field.name}${written}${this.directive()}${inner}`;
  }

  /** The selection as it is, or in a fragment of one kind or the other, which may hold more. */
  private wrapped(
    selection: string,
    type: GraphQLObjectType,
    level: number,
    inFragment: boolean,
  ): string {
    const { draws } = this;
    if (draws.inPercent(6)) {
      return `... ${draws.oneOf(["", `on ${type.name}`])}${this.directive()} { ${selection} }`;
    }
    if (!draws.inPercent(6)) return selection;
    const known = this.fragments.findIndex((fragment) => fragment.type === type);
    if (known >= 0 && !draws.inPercent(40)) {
      return `${selection} ...F${known}${this.directive()}`;
    }
    if (inFragment) return selection; // what is spread is complete, hence there are no circles
    const text = this.selections(type, level, true);
    this.fragments.push({ type, text });
    return `${selection} ...F${this.fragments.length - 1}${this.directive()}`;
  }

  private directive(): string {
    const { draws } = this;
    if (!draws.inPercent(4)) return "";
    const condition = this.input(new GraphQLNonNull(GraphQLBoolean), "if", false).literal;
    return ` @${draws.oneOf(["skip", "include"])}(if: ${condition})`;
  }

  /** A value, or a variable, at a place that may have a default. */
  private readonly input = (
    type: GraphQLInputType,
    name: string,
    hasDefault: boolean,
  ): InputText => {
    if (!this.draws.inPercent(40)) return writeValue(this.draws, type, name, this.input);
    const variable = `$${this.variable(type, name, hasDefault)}`;
    return { literal: variable, json: "null" };
  };

  /** A value without variables. */
  private readonly constant = (type: GraphQLInputType, name: string): InputText =>
    writeValue(this.draws, type, name, this.constant);

  /** Declares a variable that fits, in each of the ways the language has for it, and gives it a value. */
  private variable(type: GraphQLInputType, name: string, hasDefault: boolean): string {
    const { draws } = this;
    const nullable: GraphQLInputType = getNullableType(type);
    const isRequired = isNonNullType(type);
    // A default makes up for what the variable's type allows, until null is given.
    const isLoose = isRequired && draws.inPercent(hasDefault ? 60 : 15);
    const isStrict = !isRequired && draws.inPercent(20);
    const own = isStrict ? new GraphQLNonNull(nullable) : isLoose ? nullable : type;
    const known = this.declared.get(`${String(own)} ${name}`) ?? [];
    if (known.length > 0 && !(isLoose && !hasDefault) && draws.inPercent(30)) {
      return draws.oneOf(known);
    }
    const variable = this.newName("v");
    this.declared.set(`${String(own)} ${name}`, [...known, variable]);
    const mustHaveDefault = isLoose && !hasDefault;
    const hasOwnDefault = mustHaveDefault || draws.inPercent(20);
    const ofDefault = mustHaveDefault ? type : own;
    const initial = hasOwnDefault ? ` = ${this.constant(ofDefault, name).literal}` : "";
    this.declarations.push(`$${variable}: ${String(own)}${initial}`);
    const mayBeMissing = hasOwnDefault || !isNonNullType(own);
    if (!mayBeMissing || !draws.inPercent(20)) {
      const isNull = !isNonNullType(own) && draws.inPercent(20);
      const { json } = this.constant(own, name);
      this.values.push(`"${variable}":${isNull ? "null" : json}`);
    }
    return variable;
  }

  /** A document that is hardly one any more. */
  private damaged(text: string): string {
    const { draws } = this;
    const place = draws.below(text.length + 1);
    const inserted = draws.oneOf([
      ...[" nope ", "$nope", "...Nope", " @nope ", "(nope: 1)", '"', "{", "}", ":", "\0", "\ud800"],
      ...["... on Nope { id }", "fragment F0 on Product { ...F0 }", "query { id }", "\ufeff", "#"],
    ]);
    return draws.oneOf([
      text.slice(0, place),
      text.slice(0, place) + inserted + text.slice(place),
      text.slice(0, place) + text.slice(place + 1),
      `${text} ${inserted}`,
    ]);
  }
}
