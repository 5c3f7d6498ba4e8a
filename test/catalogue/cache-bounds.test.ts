import { CatalogueCache, LONGEST_CACHED } from "../../src/reads/catalogue-cache";

jest.setTimeout(60_000);

const MOST_BYTES = 32 * 1024 * 1024;

/** Memory of an answer besides its text, as the cache counts it. */
const ENTRY_BYTES = 512;

/** The longest text that is cached; as it has characters beyond Latin-1, each takes two bytes. */
const LONGEST = "茶".repeat(LONGEST_CACHED);
const LONGEST_BYTES = 2 * LONGEST_CACHED + ENTRY_BYTES;

/** A cache of a catalogue that never changes, one of several databases. */
const cacheOf = (databases = 1): CatalogueCache =>
  new CatalogueCache({ current: () => Promise.resolve("1") }, databases);

const store = async (cache: CatalogueCache, key: string, text: string) =>
  (await cache.begin(key)).store({ mediaType: "application/json", text });

const keysUpTo = (count: number): string[] => Array.from({ length: count }, (_, n) => `read ${n}`);

test("the oldest answers are dropped as soon as all would be longer than the bound", async () => {
  const cache = cacheOf();
  const keys = keysUpTo(40);
  for (const [index, key] of keys.entries()) {
    await store(cache, key, LONGEST);
    const cached = keys.filter((each) => cache.has(each));
    expect(cached).toEqual(keys.slice(index + 1 - cached.length, index + 1));
    expect(cached.length * LONGEST_BYTES).toBeLessThanOrEqual(MOST_BYTES);
  }
  const bytes = keys.filter((key) => cache.has(key)).length * LONGEST_BYTES;
  expect(bytes).toBeGreaterThan(MOST_BYTES - LONGEST_BYTES);
});

test("an answer that is asked for outlives those that are not", async () => {
  const cache = cacheOf();
  const keys = keysUpTo(40);
  for (const key of keys) {
    await store(cache, key, LONGEST);
    expect((await cache.begin("read 0")).cached).toBeDefined();
  }
  expect(cache.has("read 1")).toBe(false);
});

test("short answers are bounded as well, by the memory that each takes besides its text", async () => {
  const cache = cacheOf();
  const keys = keysUpTo(70_000);
  for (const key of keys) await store(cache, key, "");
  const cached = keys.filter((key) => cache.has(key));
  expect(cached).toHaveLength(MOST_BYTES / ENTRY_BYTES);
  expect(cached.at(-1)).toBe(keys.at(-1));
});

test("an answer that is too long is not cached, and drops no other", async () => {
  const cache = cacheOf();
  await store(cache, "longest", LONGEST);
  await store(cache, "too long", `${LONGEST}a`);
  expect([cache.has("longest"), cache.has("too long")]).toEqual([true, false]);
});
