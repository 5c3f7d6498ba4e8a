import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;

// PostGraphile asks for Node 22. Of what is new there, it needs only this to run on Node 20.
Promise.withResolvers ??= () => {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
};

const server = createServer();
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: DATABASE_URL,
      schemas: ["public"],
      poolConfig: { max: Number(DATABASE_POOL_SIZE) },
    }),
  ],
  grafserv: { graphiql: false },
  grafast: { explain: false },
});
await instance.createServ(grafserv).addTo(server);
server.listen(Number(PORT), HOST);
