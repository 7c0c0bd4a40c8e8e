/** Decides whether a name or address may be contacted: blocked ranges, and the exceptions of `security.fetch`. */
import { isInRange, isMetadata, parseRange, whyNotPublic, type Address } from './address.ts';
import { isMetadataName, readHostPattern, whyLocalName } from './host-name.ts';

/** `security.fetch`. An entry that cannot be read allows nothing. */
export interface FetchRules {
  readonly allowHosts: readonly string[];
  readonly allowRanges: readonly string[];
  readonly fakeIpRange?: string | undefined;
}

/** `by`: the exception without which the answer would be no. */
export type AddressCheck = { readonly ok: true; readonly by?: string } | { readonly ok: false; readonly why: string };

/** The one range `fakeIpRange` can open. */
const FAKE_IPS = '198.18.0.0/15';

/** A name before anybody asked DNS. */
export function checkName(name: string, rules: FetchRules): AddressCheck {
  const why = whyLocalName(name);
  if (why === undefined) return { ok: true };
  const by = isMetadataName(name) ? undefined : allowingHost(name, rules);
  return by === undefined ? { ok: false, why: `${name} ${why}` } : { ok: true, by };
}

/**
 * An address, written as such or what DNS answered for `name`. `why` is the end of a sentence: `is loopback
 * (127.0.0.0/8)`.
 */
export function checkAddress(address: Address, rules: FetchRules, name?: string): AddressCheck {
  if (isMetadata(address)) return { ok: false, why: 'is a cloud metadata address, which returns credentials' };
  const why = whyNotPublic(address);
  if (why === undefined) return { ok: true };
  const by =
    allowingRange(address, rules) ??
    (name === undefined ? undefined : (allowingHost(name, rules) ?? allowingFakeIp(address, rules)));
  return by === undefined ? { ok: false, why } : { ok: true, by };
}

function allowingHost(name: string, rules: FetchRules): string | undefined {
  const found = rules.allowHosts.find((written) => {
    const pattern = readHostPattern(written);
    return pattern !== undefined && (pattern.suffix ? name.endsWith(`.${pattern.name}`) : name === pattern.name);
  });
  return found === undefined ? undefined : `allowHosts ${found}`;
}

function allowingRange(address: Address, rules: FetchRules): string | undefined {
  const found = rules.allowRanges.find((written) => {
    const range = parseRange(written);
    return range !== undefined && isInRange(address, range);
  });
  return found === undefined ? undefined : `allowRanges ${found}`;
}

/** Only answers of DNS: such an address written into a URL was not made up by the proxy. */
function allowingFakeIp(address: Address, rules: FetchRules): string | undefined {
  return rules.fakeIpRange === FAKE_IPS && isInRange(address, parseRange(FAKE_IPS)!)
    ? `fakeIpRange ${FAKE_IPS}`
    : undefined;
}
