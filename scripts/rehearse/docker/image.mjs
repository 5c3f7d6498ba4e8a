import { cp, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { doing } from "../support/say.mjs";
import { environment, program } from "../support/program.mjs";
import { folderOfNode } from "../support/node-versions.mjs";

/**
 * What a stage of a Dockerfile makes, in a folder in the place of a container: absolute paths are below it, but
 * commands see the machine's own files and its npm. Takes images of Node alone.
 */
export class Image {
  #folder;
  #context;
  #images;
  #workdir = "/";
  #node;
  environment = {};

  /** `context` has the files that a build may copy, `images` the earlier stages by name. */
  constructor(folder, context, images, image) {
    const [, major] = /^node:(\d+)-/.exec(image) ?? [];
    if (!major) throw new Error(`Not an image of Node: ${image}`);
    this.#folder = folder;
    this.#context = context;
    this.#images = images;
    this.#node = folderOfNode(Number(major));
  }

  /** The folder that WORKDIR names. */
  get workdir() {
    return this.placeOf(".");
  }

  placeOf(name) {
    return path.join(this.#folder, path.resolve(this.#workdir, name));
  }

  async perform({ keyword, text, flags, words, json, properties }) {
    const steps = {
      WORKDIR: async () => {
        this.#workdir = path.resolve(this.#workdir, words[0]);
        await mkdir(this.workdir, { recursive: true });
      },
      ARG: () => Object.assign(this.environment, Object.fromEntries([text.split("=")])),
      ENV: () => {
        for (const [name, value] of Object.entries(properties)) {
          this.environment[name] = path.isAbsolute(value) ? this.placeOf(value) : value;
        }
      },
      COPY: () => this.#copy(flags, words),
      RUN: () => this.run("/bin/sh", ["-c", text]),
      USER: () => (this.user = words[0]),
      EXPOSE: () => (this.port = Number(words[0])),
      HEALTHCHECK: () => (this.healthCheck = json ?? JSON.parse(text.slice(text.indexOf("[")))),
      CMD: () => (this.command = json),
    };
    if (!(keyword in steps)) throw new Error(`No rehearsal of ${keyword} in a Dockerfile`);
    if (["COPY", "RUN"].includes(keyword)) doing(`${keyword} ${text}`);
    await steps[keyword]();
  }

  run(command, args) {
    return program(command, args, this.optionsToSpawn({ ...environment() }));
  }

  /** Where and with which environment the image's programs run. */
  optionsToSpawn(base) {
    const places = [this.#node, path.dirname(process.execPath), process.env.PATH];
    const PATH = places.join(path.delimiter);
    return { cwd: this.workdir, env: { ...base, ...this.environment, PATH } };
  }

  /** As Docker does: of a folder its content is copied, and a target that ends with a slash is a folder. */
  async #copy({ from }, words) {
    const target = words.at(-1);
    for (const source of words.slice(0, -1)) {
      const origin = from
        ? this.#images[from].placeOf(path.resolve("/", source))
        : path.join(this.#context, source);
      const isInside = target.endsWith("/") && (await stat(origin)).isFile();
      const place = this.placeOf(isInside ? path.join(target, path.basename(source)) : target);
      await cp(origin, place, { recursive: true, verbatimSymlinks: true });
    }
  }
}
