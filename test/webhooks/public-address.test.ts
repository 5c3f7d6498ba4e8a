import { isLoopback, isPublic } from "../../src/webhooks/guarded-connector";

/** IPv4 addresses that are not public. Each network is here with its first and last address. */
const notPublic = {
  "this network": ["0.0.0.0", "0.255.255.255"],
  private: [
    ...["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255"],
    ...["192.168.0.0", "192.168.255.255"],
  ],
  "shared by a provider's customers": ["100.64.0.0", "100.127.255.255"],
  loopback: ["127.0.0.0", "127.0.0.1", "127.255.255.255"],
  "link-local": ["169.254.0.0", "169.254.255.255"],
  metadata: ["169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16"],
  "protocol assignments": ["192.0.0.0", "192.0.0.255"],
  documentation: [
    ...["192.0.2.0", "192.0.2.255", "198.51.100.0", "198.51.100.255"],
    ...["203.0.113.0", "203.0.113.255"],
  ],
  "6to4 relays": ["192.88.99.0", "192.88.99.255"],
  benchmarks: ["198.18.0.0", "198.19.255.255"],
  multicast: ["224.0.0.0", "239.255.255.255"],
  reserved: ["240.0.0.0", "255.255.255.254"],
  broadcast: ["255.255.255.255"],
} as const;

/** The neighbours of the networks above, and some others. */
const publicAddresses = [
  ...["1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.215.14"],
  ...["100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ...["168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0"],
  ...["172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0"],
  ...["192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0"],
  ...["198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0"],
  ...["203.0.112.255", "203.0.114.0", "223.255.255.255"],
];

const hex = (address: string): string =>
  address
    .split(".")
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")
    .replace(/^(.{4})/, "$1:");

const inverted = (address: string): string =>
  hex(
    address
      .split(".")
      .map((part) => 255 - Number(part))
      .join("."),
  );

describe.each(Object.entries(notPublic))("%s", (_, addresses) => {
  test.each(addresses)("%s is not public, however it is embedded", (address) => {
    const forms = [
      address,
      `::ffff:${address}`,
      `::FFFF:${hex(address)}`,
      `0:0:0:0:0:ffff:${hex(address)}`,
      `::${hex(address)}`,
      `::${address}`,
      `::ffff:0:${address}`,
      `64:ff9b::${address}`,
      `64:ff9b::${hex(address)}`,
      `64:ff9b:1::${address}`,
      `64:ff9b:1:${hex(address)}::`,
      `2002:${hex(address)}::`,
      `2002:${hex(address)}::1`,
      `2001:0:${hex(address)}::1`,
      `2001:0:4136:e378:8000:63bf:${inverted(address)}`,
    ];
    expect(forms.filter(isPublic)).toEqual([]);
  });
});

test.each(publicAddresses)("%s is public, also mapped and behind NAT64", (address) => {
  const forms = [address, `::ffff:${address}`, `::ffff:${hex(address)}`, `64:ff9b::${address}`];
  expect(forms.filter((form) => !isPublic(form))).toEqual([]);
});

test.each(["2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001:80e::200e", "2003::1"])(
  "%s is public",
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test.each([
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["link-local", "fe80::1"],
  ["link-local", "febf::1"],
  ["link-local, of an interface", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["unique local", "fc00::1"],
  ["unique local", "fdff:ffff::1"],
  ["metadata", "fd00:ec2::254"],
  ["metadata", "fd20:ce::254"],
  ["multicast", "ff02::1"],
  ["documentation", "2001:db8::1"],
  ["documentation", "3fff::1"],
  ["benchmarks", "2001:2::1"],
  ["protocol assignments", "2001:1::1"],
  ["discarded", "100::1"],
  ["segment routing", "5f00::1"],
  ["not given to anybody", "4000::1"],
  ["not given to anybody", "1fff::1"],
  ["6to4 of a public address", "2002:808:808::1"],
  ["Teredo", "2001::1"],
])("%s: %s is not public", (_, address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(["", "localhost", "2130706433", "0x7f.1", "0x8.8.8.8", "010.8.8.8", "8.8", "8.8.8.8 "])(
  "%p is no address, so neither public nor loopback",
  (text) => {
    expect(isPublic(text)).toBe(false);
    expect(isLoopback(text)).toBe(false);
  },
);

test.each([
  ["127.0.0.1", true],
  ["127.255.255.255", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:7f00:1", true],
  ["128.0.0.1", false],
  ["10.0.0.1", false],
  ["169.254.169.254", false],
  ["0.0.0.0", false],
  ["::", false],
  ["::2", false],
  ["fe80::1", false],
  ["8.8.8.8", false],
])("whether %s is loopback: %p", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
