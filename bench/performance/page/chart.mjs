import { parse, View } from "vega";
import { compile } from "vega-lite";
import { floorOf, measuredTargets, toFloor } from "./ratios.mjs";

/** Colours that differ for colour-blind readers too (Okabe and Ito's). */
const COLOURS = {
  "the service": "#0072B2",
  "the service, nothing shared or cached": "#56B4E9",
  "the service, reads gathered": "#009E73",
  "Express + Sequelize": "#E69F00",
  "NestJS + TypeORM": "#D55E00",
  PostGraphile: "#CC79A7",
  "mercurius, graphql-jit": "#999999",
};

const NAMES = {
  service: "the service",
  alone: "the service, nothing shared or cached",
  uncached: "the service, reads gathered",
  sequelize: "Express + Sequelize",
  nest: "NestJS + TypeORM",
  postgraphile: "PostGraphile",
  mercurius: "mercurius, graphql-jit",
};

const pointsOf = (result) =>
  [...result.contenders.keys()]
    .filter((name) => name in NAMES)
    .map((name) => ({
      path: result.path.title,
      who: NAMES[name],
      ratio: toFloor(result, name),
    }))
    .filter((point) => point.ratio !== undefined);

/** The targets that compare with the floor; the table has the others too. */
const targetsOf = (result) =>
  measuredTargets(result)
    .filter(({ to }) => to === floorOf(result.path))
    .map(({ of, atLeast }) => ({ path: result.path.title, who: NAMES[of], ratio: atLeast }));

const x = {
  field: "ratio",
  type: "quantitative",
  scale: { type: "log" },
  title: "1 is the floor (logarithmic scale); a line is the target of the form of its colour",
  axis: { values: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10], format: "~g" },
};

const yOf = (titles) => ({
  field: "path",
  type: "nominal",
  sort: titles,
  title: null,
  axis: { labelLimit: 420, grid: true, ticks: false },
});

const colour = (shown) => ({
  field: "who",
  type: "nominal",
  title: null,
  scale: { domain: shown, range: shown.map((who) => COLOURS[who]) },
  legend: { orient: "bottom", columns: 3, labelLimit: 300 },
});

/** @returns {any} for the compiler of vega-lite */
function specification(values, targets) {
  const y = yOf([...new Set(values.map(({ path }) => path))]);
  const shown = Object.keys(COLOURS).filter((who) => values.some((each) => each.who === who));
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: "white",
    title: { text: "Requests per second, to those of the handwritten floor", anchor: "start" },
    width: 520,
    height: { step: 30 },
    layer: [
      {
        data: { values: targets },
        mark: { type: "tick", thickness: 3, size: 22 },
        encoding: { x, y, color: colour(shown) },
      },
      {
        data: { values },
        mark: { type: "point", filled: true, size: 110, opacity: 0.95 },
        encoding: { x, y, color: colour(shown) },
      },
    ],
  };
}

/** The chart of the results as SVG. */
export async function chartOf(results) {
  const { spec } = compile(specification(results.flatMap(pointsOf), results.flatMap(targetsOf)));
  return new View(parse(spec), { renderer: "none" }).toSVG();
}
