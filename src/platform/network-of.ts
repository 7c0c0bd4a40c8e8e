/** Finds the network of an address for counting: the address itself for IPv4, the customer's network for IPv6. */
import { isIPv6 } from 'node:net';

const GROUPS = 8;

/** Anybody can pick from the 2^64 addresses of an IPv6 network. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  // The parser of addresses writes one in one way: lower case, no leading zeros, no IPv4 inside, the longest run of
  // zeros as `::`.
  const [head = [], tail] = new URL(`http://[${plain}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const groups =
    tail === undefined
      ? head
      : [...head, ...Array.from({ length: GROUPS - head.length - tail.length }, () => '0'), ...tail];
  return `${groups.slice(0, GROUPS / 2).join(':')}::/64`;
}
