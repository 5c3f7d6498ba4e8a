// Loaded before the service: SIGUSR2 ends a worker by an unhandled rejection. The worker prints "leaving" when it only
// waits for its primary.
const cluster = require("node:cluster");

if (cluster.isWorker) {
  const { disconnect } = cluster.worker;
  cluster.worker.disconnect = () => {
    console.log("leaving");
    return disconnect.call(cluster.worker);
  };
  process.on("SIGUSR2", () => void Promise.reject(new Error("a fault of the test")));
}
