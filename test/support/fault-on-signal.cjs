// Loaded before the service: SIGUSR2 ends a worker by a rejection that nobody handles. It prints "leaving"
// when all that is left is to hear from its primary.
const cluster = require("node:cluster");

if (cluster.isWorker) {
  const { disconnect } = cluster.worker;
  cluster.worker.disconnect = () => {
    console.log("leaving");
    return disconnect.call(cluster.worker);
  };
  process.on("SIGUSR2", () => void Promise.reject(new Error("a fault of the test")));
}
