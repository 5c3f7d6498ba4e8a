import type { DataProvider, GetListParams, Identifier, RaRecord } from "react-admin";
import { auditLog, events } from "../audit-log/source";
import { categories } from "../categories/source";
import { customers } from "../customers/source";
import { newsletter } from "../newsletter/source";
import { orders } from "../orders/source";
import { products } from "../products/source";
import { webhooks } from "../webhooks/source";
import { Failure } from "./post";

export type Named = Readonly<{ id: number; name: string }>;

/** A page of a list, as the lists of react-admin ask for it. */
export interface ListQuery {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: { readonly field: string; readonly order: "ASC" | "DESC" };
  readonly filter: Record<string, unknown>;
  readonly signal?: AbortSignal | undefined;
}

/** What the app does with things of one kind. What a kind can't do is left out. All throw Failure. */
export interface Source<Thing extends { readonly id: Identifier } = RaRecord> {
  list(query: ListQuery): Promise<{ data: Thing[]; total: number }>;
  one?(id: never): Promise<object | null | undefined>;
  create?(input: never): Promise<object>;
  /** The fields that `change` takes. */
  readonly fields?: readonly string[];
  /** Changes what still has the version. */
  change?(id: number, input: Record<string, unknown>, version: number): Promise<unknown>;
  remove?(id: number, version: number): Promise<unknown>;
}

export const sources: Readonly<Record<string, Source>> = {
  ...{ orders, products, categories, customers, newsletter, webhooks, events },
  "audit-log": auditLog,
};

/** The fields in which what is wanted differs from what was there: only they are sent. */
export const changesOf = (wanted: object, previous: object, fields: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(wanted as Record<string, unknown>).filter(
      ([field, value]) =>
        fields.includes(field) &&
        JSON.stringify(value) !== JSON.stringify(previous[field as never]),
    ),
  );

async function one(resource: string, id: Identifier) {
  const data = await sources[resource]?.one?.((isNaN(Number(id)) ? id : Number(id)) as never);
  if (!data) throw new Failure("NOT_FOUND", "reasons.NOT_FOUND", 404);
  return { data: data as never };
}

const PAGE_MAX = 50;

/** A page of a list; one that is longer than the service's is put together from several. */
async function listed(resource: string, params: GetListParams) {
  const { pagination: { page, perPage } = { page: 1, perPage: 10 }, sort, filter, signal } = params;
  const pageSize = Math.min(perPage, PAGE_MAX);
  const read = async (number: number) => {
    const query = { page: number, pageSize, signal, filter: (filter ?? {}) as ListQuery["filter"] };
    const order = sort ?? { field: "createdAt", order: "DESC" };
    return (await sources[resource]?.list({ ...query, sort: order })) ?? { data: [], total: 0 };
  };
  if (perPage <= PAGE_MAX) return (await read(page)) as never;
  const { data, total } = await read(1);
  const pages = Math.ceil(Math.min(perPage, total) / PAGE_MAX);
  for (let next = 2; next <= pages; next += 1) data.push(...(await read(next)).data);
  return { data, total } as never;
}

/** Hands what react-admin asks for in this app to the source of each kind of thing. */
const provider: Partial<DataProvider> = {
  supportAbortSignal: true,
  getList: listed,
  getOne: (resource, { id }) => one(resource, id),
  create: async (resource, { data }) => ({
    data: (await sources[resource]?.create?.(data as never)) as never,
  }),
  update: async (resource, { id, data, previousData }) => {
    const source = sources[resource];
    const input = changesOf(data, previousData, source?.fields);
    const isChange = Object.keys(input).length > 0;
    if (isChange) await source?.change?.(Number(id), input, previousData.version as number);
    return one(resource, id);
  },
};

export const dataProvider = provider as DataProvider;
