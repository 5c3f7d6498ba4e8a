import { localSettings } from "../../src/config";
import { faultsOf } from "./faults";

test.each([
  ["9464", { port: 9464, host: undefined }],
  ["0", { port: 0, host: undefined }],
  ["127.0.0.1:9464", { port: 9464, host: "127.0.0.1" }],
  ["metrics.internal:65535", { port: 65_535, host: "metrics.internal" }],
  ["[::1]:9464", { port: 9464, host: "::1" }],
])("METRICS takes %s", (text, address) => {
  expect(localSettings({ METRICS: text }).metrics).toEqual(address);
});

test("metrics are served nowhere unless METRICS says where", () => {
  expect(localSettings({}).metrics).toBeUndefined();
  expect(localSettings({ METRICS: "" }).metrics).toBeUndefined();
});

test.each([
  "on",
  ":9464",
  "host:",
  "host:65536",
  "-1",
  "::1:9464",
  "[::1]9464",
  "http://host:80",
  "a b:1",
])("METRICS refuses %p", (text) => {
  expect(faultsOf(() => localSettings({ METRICS: text }))).toEqual([
    "METRICS must be a port from 0 to 65535, or host:port such as 127.0.0.1:9464",
  ]);
});
