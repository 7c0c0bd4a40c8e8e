/** Where an address comes from, for counting: IPv4 addresses stand for themselves, IPv6 ones for the network of one customer. */
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Anybody can pick from the 2^64 addresses of an IPv6 network. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIPv6(plain) ? `${ipaddr.IPv6.parse(plain).parts.slice(0, 4).map((part) => part.toString(16)).join(':')}::/64` : plain;
}
