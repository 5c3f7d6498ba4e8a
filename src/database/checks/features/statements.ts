import { ROWS, TWO_ROWS, type Feature } from "./feature";

/** What single statements can do. */
export const statements: readonly Feature[] = [
  {
    name: "rows as JSON and back",
    neededFor: "audit log, events, imports, lists",
    onReplicas: true,
    trial: [
      `SELECT jsonb_agg(to_jsonb(given) ORDER BY n) = '[{"n": 3}, {"n": 4}]' AND sum(n) = 7
         AND (SELECT count(*) FROM jsonb_each('{"a": 1, "b": null}')) = 2
         AND (SELECT count(*) FROM jsonb_object_keys('{"a": 1}')) = 1
         AND jsonb_set('{"a": 1}', '{a}', '[2]') || jsonb_build_object('b', 1) = '{"a": [2], "b": 1}'
         AND (SELECT row_to_json(shown)::text FROM (SELECT 1 AS a, 'x' AS b) AS shown) = '{"a":1,"b":"x"}'
         AND json_build_array(1, json_build_object('a', 1.10::numeric(10, 2)))::text = '[1, {"a" : 1.10}]' AS works
       FROM jsonb_to_recordset('[{"n": 3}, {"n": 4}]') AS given (n integer)`,
    ],
  },
  {
    name: "subqueries for each row, kept subqueries, and arrays as rows with their places",
    neededFor: "lists of categories, orders of many products, searches",
    trial: [
      ROWS,
      TWO_ROWS,
      `WITH asked AS MATERIALIZED (SELECT * FROM unnest('{2,1}'::integer[]) WITH ORDINALITY AS asked (id, place))
       SELECT array_agg(part.n ORDER BY place) = '{2,1}' AS works FROM asked
       CROSS JOIN LATERAL (SELECT n FROM trial_rows WHERE trial_rows.id = asked.id LIMIT 1) AS part`,
    ],
  },
  {
    name: "windows, sums of some rows, first rows of groups, and pairs in order",
    neededFor: "kept totals and places of pages",
    onReplicas: true,
    trial: [
      `WITH given AS (SELECT n, n % 2 AS part FROM generate_series(1, 4) AS n),
         numbered AS (
           SELECT n, part, row_number() OVER byn AS place, lead(n, 1, 9) OVER byn AS next, lag(n) OVER byn AS previous,
             sum(n) OVER (PARTITION BY part) AS total
           FROM given WINDOW byn AS (ORDER BY n))
       SELECT (SELECT array_agg(n) FROM (SELECT DISTINCT ON (part) n FROM given ORDER BY part, n) AS firsts) = '{2,1}'
         AND sum(place) FILTER (WHERE (n, part) > (2, 0)) = 7 AND max(next) = 9 AND count(previous) = 3
         AND max(total) = 6 AND greatest(min(n), 0) = 1 AND bool_or(n = 4)
         AND (SELECT count(*) FROM (SELECT 1 EXCEPT ALL SELECT n FROM given) AS none) = 0 AS works
       FROM numbered`,
    ],
  },
  {
    name: "texts and times that are taken apart and put together",
    neededFor: "audit log, searches, imports",
    onReplicas: true,
    trial: [
      `SELECT (SELECT string_agg(split_part(part, '=', 2), '-') FROM string_to_table('a=1&b=2', '&') AS part) = '1-2'
         AND regexp_replace('a_b%', '([\\\\%_])', '\\\\\\1', 'g') = 'a\\_b\\%'
         AND right('created_at', 3) = '_at' AND left('x', 1) || substr(replace(initcap('customer email' COLLATE "C"), ' ', ''), 2) = 'xustomerEmail'
         AND to_char('2020-01-02 03:04:05.006Z'::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           = '2020-01-02T03:04:05.006Z'
         AND date_trunc('milliseconds', clock_timestamp()) <= clock_timestamp()
         AND concat_ws(', ', quote_literal('a'), nullif('', '')) = '''a'''
         AND encode(sha256(decode('00', 'hex')), 'hex') LIKE '6e340b9c%' AS works`,
    ],
  },
];
