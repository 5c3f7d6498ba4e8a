/** Seconds in which the service ends after SIGTERM, as docs/reliability.md promises. */
const DRAINING = 10;

/** What no schema sees: names, labels and times in the objects of a release that do not fit together. */
export function contradictions(objects) {
  const kinds = ["Job", "Deployment", "Service", "PodDisruptionBudget", "Ingress", "NetworkPolicy"];
  const found = kinds.map((kind) => objects.find((each) => each.kind === kind));
  if (!found.every(Boolean)) return ["an object is missing"];
  const [job, deployment, service, budget, ingress, policy] = found;
  const pod = deployment.spec.template;
  const [container] = pod.spec.containers;
  const ports = container.ports.map(({ name }) => name);
  const probes = ["startupProbe", "livenessProbe", "readinessProbe"].map((name) => container[name]);
  const { value: metrics } = container.env.find(({ name }) => name === "METRICS");
  const { containerPort } = container.ports.find(({ name }) => name === "metrics");
  const preStop = Number(container.lifecycle.preStop.exec.command.at(-1));
  const [migration] = job.spec.template.spec.containers;
  const [rule] = ingress.spec.rules;
  const { service: backend } = rule.http.paths[0].backend;
  const open = policy.spec.ingress.filter(({ from }) => from === undefined);
  const release = migration.image.split(":").at(-1).replaceAll(".", "-");
  const rules = {
    "the job and the service have the same image": migration.image === container.image,
    "the job is named for its release": job.metadata.name.endsWith(release),
    "probes and the service name a port of the container":
      probes.every(({ httpGet }) => ports.includes(httpGet.port)) &&
      service.spec.ports.every(({ targetPort }) => ports.includes(targetPort)),
    "metrics are served and scraped at the port of that name": [
      containerPort,
      Number(pod.metadata.annotations["prometheus.io/port"]),
    ].every((port) => port === Number(metrics)),
    "the service does not offer metrics": service.spec.ports.every(
      ({ targetPort }) => ![containerPort, "metrics"].includes(targetPort),
    ),
    "the ingress leads to the service": [
      backend.name === service.metadata.name,
      service.spec.ports.some(({ name }) => name === backend.port.name),
      ingress.spec.tls.some(({ hosts }) => hosts.includes(rule.host)),
    ].every(Boolean),
    "the policy opens the service's port to all, and that of metrics to some": [
      open.flatMap((each) => each.ports.map(({ port }) => port)).join() === "http",
      policy.spec.ingress.flatMap((each) => each.ports.map(({ port }) => port)).includes("metrics"),
    ].every(Boolean),
    "all containers have requests and limits": [container, migration].every(
      ({ resources }) => resources?.requests && resources.limits.memory,
    ),
    "deployment, service, budget and policy select the pods": [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
      policy.spec.podSelector.matchLabels,
    ].every((labels) => selects(labels, pod.metadata.labels)),
    "none of them selects the job's pods": !selects(
      service.spec.selector,
      job.spec.template.metadata.labels,
    ),
    "pods have time to end": pod.spec.terminationGracePeriodSeconds >= preStop + DRAINING,
    "the budget leaves one pod to evict": budget.spec.minAvailable < deployment.spec.replicas,
  };
  return Object.keys(rules)
    .filter((rule) => !rules[rule])
    .map((rule) => `not so: ${rule}`);
}

const selects = (selector, labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);
