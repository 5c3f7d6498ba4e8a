/** About as many characters as Node accepts in a request's head. */
const LARGE = 16_000;

/** Texts from which a regular expression or a loop might search ahead, again and again. */
const seeds = [
  ...["a", "0", " ", "\t", "@", '"', '\\"', "\\", "%", "%25", "%40", ".%40", "a@", "a b@", '"a"@'],
  ...["eyJ", "eyJa.", "eyJa.eyJb", "eyJ-", "postgres", "postgres://", "postgres://a:", "$2a$"],
  ...["$2a$10$", "$2b$10$aaaaaaaaaaaaaaaaaaaa", "-", "a-", "+json", "/", "?", "&", "=", ";a=", ","],
  ...["Did you mean ", " Did", "bearer ", "::ffff:", "1.", "'", "é", "\ud83c\udf75", "\u0000"],
];

const ends = ["", "!", "@", "\n", '"'];

/** Texts of about `length` characters, by the seeds that they repeat: each alone, in pairs, and before an end. */
export function hostileTexts(length: number = LARGE): [name: string, text: string][] {
  const repeated = (seed: string): string => seed.repeat(Math.floor(length / seed.length));
  return seeds.flatMap((seed, index) => {
    const other = seeds[(index + 1) % seeds.length] ?? "";
    return [
      ...ends.map((end): [string, string] => [`${seed}…${end}`, repeated(seed) + end]),
      [`${seed}${other}…`, repeated(seed + other)],
      [`${seed}… ${other}…`, repeated(seed).slice(length / 2) + repeated(other).slice(length / 2)],
    ];
  });
}
