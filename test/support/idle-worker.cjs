// A worker of a cluster that listens and does nothing else.
require("node:net").createServer().listen(0, "127.0.0.1");
