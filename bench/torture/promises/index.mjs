import { killedService } from "./killed-service.mjs";
import { restartedDatabase } from "./restarted-database.mjs";
import { frozenDatabase } from "./frozen-database.mjs";
import { rolls } from "./rolls.mjs";
import { idempotency } from "./idempotency.mjs";
import { loginSources } from "./login-sources.mjs";
import { loginStorm } from "./login-storm.mjs";
import { loginTiming } from "./login-timing.mjs";
import { overload } from "./overload.mjs";
import { searchInBulk } from "./search-in-bulk.mjs";
import { slowClients } from "./slow-clients.mjs";
import { disconnects } from "./disconnects.mjs";
import { pooledReplicas } from "./pooled-replicas.mjs";
import { pooler } from "./pooler.mjs";
import { graphqlDocuments } from "./graphql-documents.mjs";
import { soak } from "./soak.mjs";
import { hotProduct } from "./hot-product.mjs";
import { keptConnections } from "./kept-connections.mjs";
import { longLists } from "./long-lists.mjs";
import { longestLists } from "./longest-lists.mjs";
import { nothingStale } from "./nothing-stale.mjs";
import { openImport } from "./open-import.mjs";
import { balancingPooler } from "./balancing-pooler.mjs";
import { bodies } from "./bodies.mjs";
import { lateCancels } from "./late-cancels.mjs";
import { firstCount } from "./first-count.mjs";
import { largeAnswers } from "./large-answers.mjs";
import { webhooks } from "./webhooks.mjs";
import { replicaRounds } from "./replica-rounds.mjs";
import { promotions } from "./promotions.mjs";

/** The promises in the order of their numbers. */
export const promises = [
  killedService,
  restartedDatabase,
  frozenDatabase,
  rolls,
  idempotency,
  loginStorm,
  loginTiming,
  overload,
  slowClients,
  disconnects,
  soak,
  hotProduct,
  pooler,
  loginSources,
  graphqlDocuments,
  searchInBulk,
  longLists,
  nothingStale,
  openImport,
  keptConnections,
  bodies,
  lateCancels,
  firstCount,
  largeAnswers,
  longestLists,
  webhooks,
  replicaRounds,
  promotions,
  pooledReplicas,
  balancingPooler,
];
