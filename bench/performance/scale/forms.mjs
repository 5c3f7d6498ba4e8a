const SEARCHES = {
  "no word": undefined,
  "one letter": "y",
  "two letters": "uv",
  "a rare word": "unobtainable",
  "words that meet rarely": "emerald alishan gyokuro",
  "a frequent word": "sencha",
  "a word of every product": "notes",
  "frequent words that never meet": "gyokuro hojicha",
};

const SORTS = {
  newest: "field: CREATED_AT, direction: DESC",
  "by name": "field: NAME, direction: ASC",
  "by price": "field: PRICE, direction: ASC",
};

/** Sorts that need a search. */
const RANKED = { "by relevance": "field: RELEVANCE, direction: DESC" };

const FILTERS = {
  "of a category": ({ category }) => `categoryId: ${category}`,
  inactive: () => "isActive: false",
  "of a price range": () => `minPrice: "10.00", maxPrice: "12.00"`,
};

/** Searches that are also combined with each filter, and also read far from the beginning. */
const COMBINED = ["no word", "a frequent word", "a word of every product"];

const PAGES = 20;
const DEEP = 2000;

const isShort = (search) => search !== undefined && search.length < 3;

/** @param {{ search: string, sort: string, filter?: string, deep?: boolean }} choice */
function form({ search, sort, filter, deep = false }, data) {
  const word = SEARCHES[search];
  const conditions = [
    word === undefined ? "" : `search: "${word}"`,
    filter === undefined ? "" : FILTERS[filter](data),
  ].filter(Boolean);
  const query = (page, counted) =>
    `{ products(page: ${page}, sort: { ${{ ...SORTS, ...RANKED }[sort]} }, filter: { ${conditions.join(", ")} }) ` +
    `{ data { id name price } ${counted ? "meta { total }" : ""} } }`;
  return {
    title: [search, filter, sort, deep && `pages ${DEEP + 1} to ${DEEP + PAGES}`]
      .filter(Boolean)
      .join(", "),
    isHard: deep || isShort(word),
    requests: (counted) =>
      Array.from({ length: PAGES }, (_, index) => ({
        method: "POST",
        path: "/graphql",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: query(index + 1 + (deep ? DEEP : 0), counted) }),
      })),
  };
}

/**
 * The forms of a list of products, with pages 1 to 20 of each: each search in each sort, some searches with each
 * filter too, and some far from the beginning. Hard forms, with short words or deep pages, may take longer.
 */
export function forms(data) {
  const sorts = Object.keys(SORTS);
  return [
    ...Object.entries(SEARCHES).flatMap(([search, word]) =>
      [...sorts, ...(word === undefined ? [] : Object.keys(RANKED))].map((sort) => ({
        search,
        sort,
      })),
    ),
    ...COMBINED.flatMap((search) =>
      Object.keys(FILTERS).flatMap((filter) => sorts.map((sort) => ({ search, filter, sort }))),
    ),
    ...COMBINED.flatMap((search) => sorts.map((sort) => ({ search, sort, deep: true }))),
  ].map((each) => form(each, data));
}
