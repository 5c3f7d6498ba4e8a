// Loaded into a contender before its own code: a first SIGUSR2 starts a profile, and the next one writes it to the
// file of BENCH_PROFILE.
const { renameSync, writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");

const INTERVAL = 200; // microseconds

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.setSamplingInterval", { interval: INTERVAL });
let isRunning = false;

process.on("SIGUSR2", () => {
  if (!isRunning) session.post("Profiler.start");
  else {
    session.post("Profiler.stop", (_error, { profile }) => {
      const file = process.env.BENCH_PROFILE;
      writeFileSync(`${file}.part`, JSON.stringify(profile));
      renameSync(`${file}.part`, file);
    });
  }
  isRunning = !isRunning;
});
