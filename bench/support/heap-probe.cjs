// Loaded into a measured service before its own code: reports the heap's size when asked.
process.on("message", () => {
  globalThis.gc();
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
process.channel.unref();
