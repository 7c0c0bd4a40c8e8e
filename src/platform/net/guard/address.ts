/** Parses an IP address strictly, unwraps embedded addresses, and classifies its destination. */
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { CLOSED_IPV4, CLOSED_IPV6, METADATA_ADDRESSES } from './address-table.ts';

/** An IP address, read. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A first address and how many bits of it count. */
export type AddressRange = readonly [Address, number];

type Row = readonly [range: string, address: Address, bits: number, purpose: string];
const rows = (table: readonly (readonly [string, string])[]): readonly Row[] =>
  table.map(([range, purpose]) => [range, ...ipaddr.parseCIDR(range), purpose]);

const CLOSED = { ipv4: rows(CLOSED_IPV4), ipv6: rows(CLOSED_IPV6) };
const METADATA: ReadonlySet<string> = new Set(METADATA_ADDRESSES);
/** All of IPv6 that is routed on the internet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Where an IPv4 address sits among the 16 bytes: RFC 6052, section 2.2, for each length of prefix. */
const NAT64_BYTES = {
  32: [4, 5, 6, 7],
  40: [5, 6, 7, 9],
  48: [6, 7, 9, 10],
  56: [7, 9, 10, 11],
  64: [9, 10, 11, 12],
  96: [12, 13, 14, 15],
} as const;

/**
 * The address a text says, IPv4-mapped ones as the IPv4 address the system connects to. Undefined for everything but
 * the
 * canonical dotted quad and the spellings of RFC 4291: no zone, no octal, no short forms.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const address = ipaddr.IPv6.parse(withoutDots(text));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** `10.0.0.0/8` as numbers; undefined when it is not one or has bits behind its prefix that no address could match. */
export function parseRange(cidr: string): AddressRange | undefined {
  const [head = '', bits = '', ...rest] = cidr.split('/');
  const address = parseAddress(head);
  const max = address?.kind() === 'ipv4' ? 32 : 128;
  return address && /^\d{1,3}$/.test(bits) && Number(bits) <= max && rest.length === 0
    ? [address, Number(bits)]
    : undefined;
}

/** An address is never in a range of the other family. */
export function isInRange(address: Address, [base, bits]: AddressRange): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}

/**
 * Why an address is not a public one, as the end of a sentence: `is private (10.0.0.0/8)`. Undefined when it is public.
 */
export function whyNotPublic(address: Address): string | undefined {
  const row = CLOSED[address.kind()].find(([, base, bits]) => isInRange(address, [base, bits]));
  if (row) return `is ${row[3]} (${row[0]})`;
  return address instanceof ipaddr.IPv6 ? whyNotPublicV6(address) : undefined;
}

/** Whether a cloud provides credentials at this address, directly or through any translation to IPv4. */
export function isMetadata(address: Address): boolean {
  if (METADATA.has(address.toString())) return true;
  if (address instanceof ipaddr.IPv4) return false;
  const bytes = address.toByteArray();
  const inside = [...Object.values(NAT64_BYTES).map((at) => pick(bytes, at)), sixToFour(bytes), teredoClient(bytes)];
  return inside.some((v4) => METADATA.has(v4.toString()));
}

function whyNotPublicV6(address: ipaddr.IPv6): string | undefined {
  const embedded = embeddedIPv4(address);
  if (embedded) {
    const why = whyNotPublic(embedded.address);
    if (why) return `carries ${embedded.address.toString()} (${embedded.form}), which ${why}`;
    if (embedded.form === 'NAT64') return undefined;
  }
  return isInRange(address, GLOBAL_UNICAST) ? undefined : 'is not a global unicast address (2000::/3)';
}

/** The IPv4 address a packet comes out at. Teredo and local NAT64 are closed as ranges, whatever they carry. */
function embeddedIPv4(address: ipaddr.IPv6): { readonly form: string; readonly address: ipaddr.IPv4 } | undefined {
  const { parts } = address;
  const bytes = address.toByteArray();
  const zeros = (count: number): boolean => parts.slice(0, count).every((part) => part === 0);
  const last = pick(bytes, NAT64_BYTES[96]);
  if (zeros(6)) return { form: 'IPv4-compatible', address: last };
  if (zeros(4) && parts[4] === 0xffff && parts[5] === 0) return { form: 'RFC 6145', address: last };
  if (parts[0] === 0x64 && parts[1] === 0xff9b && parts.slice(2, 6).every((part) => part === 0))
    return { form: 'NAT64', address: last };
  if (parts[0] === 0x2002) return { form: '6to4', address: sixToFour(bytes) };
  // RFC 5214: 0:5efe, where the bits "universal" and "group" of the first byte say nothing about the address.
  if ((parts[4]! & 0xfcff) === 0 && parts[5] === 0x5efe) return { form: 'ISATAP', address: last };
  return undefined;
}

function sixToFour(bytes: readonly number[]): ipaddr.IPv4 {
  return pick(bytes, [2, 3, 4, 5]);
}

/** RFC 4380 writes the client's address inverted. */
function teredoClient(bytes: readonly number[]): ipaddr.IPv4 {
  return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
}

function pick(bytes: readonly number[], at: readonly number[]): ipaddr.IPv4 {
  return new ipaddr.IPv4(at.map((index) => bytes[index]!));
}

/** `::1.2.3.4` → `::102:304`. The library would read the former as IPv4-mapped, which it is not. */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  if (!text.includes('.', start)) return text;
  const [a, b, c, d] = text.slice(start).split('.').map(Number) as [number, number, number, number];
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
