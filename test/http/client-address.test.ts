import type { Request } from "express";
import { addressOf } from "../../src/http/request/client-address";

const SOCKET = "192.0.2.200";

/** The client of a request of which Express says this address. */
const clientAt = (ip: string | undefined, remoteAddress: string | undefined = SOCKET): string =>
  addressOf({ ip, socket: { remoteAddress } } as Request);

test.each([
  ...["198.51.100.7", "198.51.100.7:4711", "198.51.100.7:54321", "::ffff:198.51.100.7"],
  ...["::FFFF:198.51.100.7", "::ffff:c633:6407", "::FFFF:C633:6407"],
  ...["0:0:0:0:0:ffff:c633:6407", "0000:0000:0000:0000:0000:ffff:198.51.100.7"],
  ...["[::ffff:198.51.100.7]:443", "[::ffff:c633:6407]", "::ffff:198.51.100.7%eth0"],
])("an IPv4 address is one client however it is told: %s", (ip) => {
  expect(clientAt(ip)).toBe("198.51.100.7");
});

test.each([
  ...["2001:db8:1:2::", "2001:db8:1:2::1", "2001:DB8:1:2::1"],
  ...["2001:0db8:0001:0002:0000:0000:0000:0001", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
  ...["2001:db8:1:2::198.51.100.7", "2001:0db8:0001:0002:0000:0000:198.151.100.107"],
  ...["[2001:db8:1:2::1]", "[2001:db8:1:2::1]:443", "[2001:db8:1:2::1%25eth0]:443"],
  ...["2001:db8:1:2::1%eth0", `2001:db8:1:2::1%${"z".repeat(5000)}`],
])("the addresses of an IPv6 network are one client: %.60s", (ip) => {
  expect(clientAt(ip)).toBe("2001:db8:1:2::/64");
});

test("networks and addresses are clients of their own", () => {
  const clients = [
    "2001:db8:1:2::1",
    "2001:db8:1:3::1",
    "2001:db8:2:2::1",
    "::1",
    "fe80::1",
    "127.0.0.1",
    "198.51.100.7",
    "198.51.100.8",
    "::fffe:198.51.100.7", // not mapped, so of the network of ::1
  ].map((ip) => clientAt(ip));
  expect(clients).toEqual([
    "2001:db8:1:2::/64",
    "2001:db8:1:3::/64",
    "2001:db8:2:2::/64",
    "::/64",
    "fe80::/64",
    "127.0.0.1",
    "198.51.100.7",
    "198.51.100.8",
    "::/64",
  ]);
});

test.each([
  ...["", "unknown", "_hidden", "localhost", "198.51.100", "198.51.100.7.1"],
  ...["198.51.100.256", "198.51.100.07", "0xc6.51.100.7", "3325256711", "198.51.100.7:"],
  ...["198.51.100.7:evil", "198.51.100.7:443:443", "198.51.100.7/32", "2001:db8::1::2"],
  ...["2001:db8:1:2:3:4:5:6:7", "[2001:db8::1", "x[2001:db8::1]", "[2001:db8::1]443"],
  ...["[2001:db8::1]:443x", "[]", "[]:443", "%eth0", "::ffff:198.51.100.256"],
  ...["' OR 1=1--", ":".repeat(16_000), "f:".repeat(8000), `[${"0".repeat(16_000)}]`],
  "1".repeat(16_000),
])("what is no address is the socket's own: %.40j", (ip) => {
  expect(clientAt(ip)).toBe(SOCKET);
});

test("the socket's own address is read alike", () => {
  expect(clientAt("unknown", "::ffff:198.51.100.7")).toBe("198.51.100.7");
  expect(clientAt("unknown", "2001:db8::1")).toBe("2001:db8::/64");
  expect(clientAt(undefined, "203.0.113.1")).toBe("203.0.113.1");
});

test("whose socket is gone is still somebody", () => {
  expect(addressOf({ ip: undefined, socket: {} } as Request)).toBe("unknown");
});
