/** The table of IP address ranges that are not public. */

/**
 * IPv4 ranges nothing is fetched from. Sources: IANA's special-purpose registry (RFC 6890 and its updates), RFC 5771
 * (multicast), RFC 7534 and 7535 (AS112), RFC 7450 (AMT).
 */
export const CLOSED_IPV4 = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by a carrier'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', "Azure's host"],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
] as const;

/** IPv6 ranges nothing is fetched from; narrow ones first, because the first match names the reason. */
export const CLOSED_IPV6 = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['64:ff9b:1::/48', 'a local NAT64 network'],
  ['100::/64', 'discarded'],
  ['2001::/32', 'Teredo'],
  ['2001:2::/48', 'benchmarks'],
  ['2001:3::/32', 'AMT'],
  ['2001:10::/28', 'ORCHID'],
  ['2001:20::/28', 'ORCHIDv2'],
  ['2001:30::/28', 'drone identification'],
  ['2001::/23', 'protocol assignments'],
  ['2001:db8::/32', 'documentation'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
] as const;

/**
 * Addresses where a cloud hands out credentials, as their vendors document them: AWS, GCP, Azure, OpenStack,
 * DigitalOcean
 * (169.254.169.254); AWS containers; AWS, GCP and OpenStack over IPv6; Alibaba; Tencent; Oracle; Azure's host.
 * No setting opens them.
 */
export const METADATA_ADDRESSES: readonly string[] = [
  '169.254.169.254',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
];
