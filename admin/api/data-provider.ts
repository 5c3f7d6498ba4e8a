import {
  HttpError,
  type DataProvider,
  type GetListParams,
  type Identifier,
  type RaRecord,
} from "react-admin";
import { auditLog } from "../audit-log/source";
import { categories } from "../categories/source";
import { customers } from "../customers/source";
import { newsletter } from "../newsletter/source";
import { orders } from "../orders/source";
import { products } from "../products/source";
import { webhooks } from "../webhooks/source";
import { problemOf } from "./problem";

/** A page of a list, as the lists of react-admin ask for it. */
export interface ListQuery<Filter = Record<string, unknown>> {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: { readonly field: string; readonly order: "ASC" | "DESC" };
  readonly filter: Filter;
  readonly signal?: AbortSignal | undefined;
}

/** What the app does with things of one kind. What a kind can't do is left out. */
export interface Source<Thing extends { readonly id: Identifier } = RaRecord> {
  list?(query: ListQuery): Promise<{ data: Thing[]; total: number }>;
  one?(id: Identifier): Promise<Thing | null>;
  create?(input: Record<string, unknown>): Promise<Thing>;
  /** Changes what differs from `previous`, unless somebody has changed it meanwhile. */
  update?(id: Identifier, changes: Record<string, unknown>, previous: Thing): Promise<Thing>;
  remove?(previous: Thing): Promise<Thing>;
}

const sources: Readonly<Record<string, Source>> = {
  ...{ orders, products, categories, customers, newsletter, webhooks },
  "audit-log": auditLog,
};

/** Runs one operation of a source; a refusal becomes an error with a message for each field. */
async function run<T>(resource: string, operation: keyof Source, ...args: unknown[]): Promise<T> {
  const act = sources[resource]?.[operation] as ((...args: unknown[]) => Promise<T>) | undefined;
  if (!act) throw new Error(`${resource} has no ${operation}`);
  try {
    return await act(...args);
  } catch (fault) {
    throw problemOf(fault);
  }
}

async function one(resource: string, id: Identifier): Promise<{ id: Identifier }> {
  const data = await run<{ id: Identifier } | null>(resource, "one", id);
  if (data) return data;
  throw new HttpError("shop.failures.NOT_FOUND", 404);
}

/** The most that the service sends in a page. */
const PAGE_MAX = 50;

/** A page of a list; one that is longer than the service's is put together from several. */
async function listed(resource: string, params: GetListParams) {
  const { pagination: { page, perPage } = { page: 1, perPage: 10 }, sort, filter, signal } = params;
  const pageSize = Math.min(perPage, PAGE_MAX);
  const part = (number: number) =>
    run<{ data: never[]; total: number }>(resource, "list", {
      ...{ page: number, pageSize, signal },
      sort: sort ?? { field: "createdAt", order: "DESC" },
      filter: (filter ?? {}) as Record<string, unknown>,
    });
  const first = await part(perPage > pageSize ? 1 : page);
  const data = [...first.data];
  const wanted = perPage > pageSize ? Math.min(perPage, first.total) : 0;
  for (let next = 2; data.length < wanted && next <= Math.ceil(wanted / pageSize); next += 1)
    data.push(...(await part(next)).data);
  return { data, total: first.total };
}

/** Hands what react-admin asks for to the source of each kind of thing. */
export const dataProvider: DataProvider = {
  supportAbortSignal: true,
  getList: (resource, params) => listed(resource, params),
  getOne: async (resource, { id }) => ({ data: (await one(resource, id)) as never }),
  getMany: async (resource, { ids }) => ({
    data: (await Promise.all(ids.map((id) => one(resource, id)))) as never[],
  }),
  getManyReference: (resource, { target, id, filter, ...params }) =>
    listed(resource, { ...params, filter: { ...(filter as object), [target]: id } }),
  create: async (resource, { data }) => ({ data: await run(resource, "create", data) }),
  update: async (resource, { id, data, previousData }) => ({
    data: await run(resource, "update", id, data, previousData),
  }),
  delete: async (resource, { previousData }) => ({
    data: await run(resource, "remove", previousData),
  }),
  updateMany: () => Promise.reject(new Error("Things are changed one by one")),
  deleteMany: () => Promise.reject(new Error("Things are deleted one by one")),
};
