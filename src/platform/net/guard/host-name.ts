/** Classifies the host of a URL: an address, a name, or a name that no public host has. */
import { domainToASCII } from 'node:url';
import { parseAddress, type Address } from './address.ts';

/** `name` is in lower case, punycode, without trailing dots. */
export type Host =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'bad'; readonly why: string };

const LOCAL_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'broadcasthost',
  'kubernetes',
  'kubernetes.default',
  'host.docker.internal',
  'home.arpa',
]);
/**
 * Names of networks that are not the internet: RFC 6761, 6762, 8375, ICANN's `.internal`, and what routers and
 * companies use.
 */
const LOCAL_SUFFIXES = [
  '.localhost',
  '.local',
  '.internal',
  '.localdomain',
  '.home.arpa',
  '.lan',
  '.intranet',
  '.corp',
  '.svc',
] as const;
/** Names under which clouds hand out credentials; no setting opens them. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.tencentyun.com',
  'metadata.azure.internal',
  'rancher-metadata',
]);

const MAX_NAME = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What the WHATWG calls "ends in a number"; `URL` has turned those into dotted quads or refused them. */
const NUMBER = /^(\d+|0x[0-9a-f]*)$/;

/** Reads `url.hostname`, or a host as people write it. What only a lenient reader would take for an address is bad. */
export function readHost(written: string): Host {
  const text = written.trim();
  if (text.length > 4 * MAX_NAME) return { kind: 'bad', why: 'it is too long for a host name' };
  const bracketed = /^\[(.*)\]$/.exec(text)?.[1];
  if (bracketed !== undefined || text.includes(':')) return hostOfColons(bracketed ?? text);
  if (/[\s/@?#\\%[\]]/.test(text)) return { kind: 'bad', why: 'it is not a host name' };
  const name = withoutTrailingDots(domainToASCII(text).toLowerCase());
  const address = parseAddress(name);
  if (address)
    return isPlain(text)
      ? { kind: 'address', address }
      : { kind: 'bad', why: 'it is an IP address in an unusual notation' };
  return hostOfName(name);
}

/** Why a name leads into a local network, as the end of a sentence; undefined when it may be public. */
export function whyLocalName(name: string): string | undefined {
  if (isMetadataName(name)) return 'is a cloud metadata address, which returns credentials';
  const suffix = LOCAL_SUFFIXES.find((end) => name.endsWith(end));
  if (suffix) return `is a name of a local network (*${suffix})`;
  if (LOCAL_NAMES.has(name)) return 'is a name of this machine or its network';
  return name.includes('.') ? undefined : 'has no dot, so it is a name of a local network';
}

/** Names under which clouds tell machines their secrets. */
export function isMetadataName(name: string): boolean {
  return METADATA_NAMES.has(name);
}

/** `wiki.corp.example` or `*.corp.example`, as `security.fetch.allowHosts` has them. Undefined when it is neither. */
export function readHostPattern(pattern: string): { readonly suffix: boolean; readonly name: string } | undefined {
  const suffix = pattern.startsWith('*.');
  const host = readHost(suffix ? pattern.slice(2) : pattern);
  return host.kind === 'name' ? { suffix, name: host.name } : undefined;
}

function hostOfColons(text: string): Host {
  const address = parseAddress(text);
  return address ? { kind: 'address', address } : { kind: 'bad', why: 'it is not an address' };
}

function hostOfName(name: string): Host {
  if (name === '' || name.length > MAX_NAME) return { kind: 'bad', why: 'it is not a host name' };
  const labels = name.split('.');
  if (NUMBER.test(labels.at(-1)!)) return { kind: 'bad', why: 'it is not a plain IP address' };
  return labels.every((label) => LABEL.test(label))
    ? { kind: 'name', name }
    : { kind: 'bad', why: 'it is not a host name' };
}

/** A dotted quad as everybody reads it; a trailing dot changes nothing. */
function isPlain(text: string): boolean {
  return parseAddress(withoutTrailingDots(text)) !== undefined;
}

function withoutTrailingDots(text: string): string {
  return text.replace(/(?<!\.)\.+$/, '');
}
