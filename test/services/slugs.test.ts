import { slugOf } from "../../src/services/catalogue/slugs";

test.each([
  ["ガブ", "gabu"],
  ["プーアル", "puaru"],
  ["한국 녹차", "hangug-nogca"],
  ["Ёлка", "yolka"],
  ["Čaj š mätou", "caj-s-matou"],
  ["Trà Ướp Sen", "tra-uop-sen"],
])("the slug of %j is %j, composed or decomposed", (name, slug) => {
  for (const form of ["NFC", "NFD"]) expect(slugOf(name.normalize(form), "x")).toBe(slug);
});

test("a text that is longer than any name is not normalised as a whole", () => {
  const marks = "\u0301\u0323".repeat(500_000);
  expect(slugOf(`Tea${marks}`, "fallback")).toBe("tea");
});

const wellFormed = /^[a-z0-9]+(-[a-z0-9]+)*$/;

test.each([
  ["letters", "a".repeat(120)],
  ["words", "ab ".repeat(40)],
  ["a hyphen where it is cut", `${"a".repeat(119)} b`],
  ["ideograms, which grow", "茶".repeat(120)],
  ["ligatures, which grow", "ﷺ".repeat(120)],
  ["emoji", "\u{1F375}".repeat(120)],
  ["every kind", "Aß中ñж-_ '\u{1F375}\u0301".repeat(12)],
])("a slug of 120 %s is well-formed and within 120 characters", (_kind, name) => {
  const slug = slugOf(name, "fallback");
  expect(slug).toMatch(wellFormed);
  expect(slug.length).toBeLessThanOrEqual(120);
});

test("every character of the Basic Multilingual Plane gives a well-formed slug", () => {
  const malformed = [];
  for (let code = 0; code <= 0xffff; code += 8) {
    const characters = Array.from({ length: 8 }, (_, index) => String.fromCodePoint(code + index));
    const slug = slugOf(characters.filter((each) => each.isWellFormed()).join("a"), "fallback");
    if (!wellFormed.test(slug)) malformed.push([code, slug]);
  }
  expect(malformed).toEqual([]);
});
