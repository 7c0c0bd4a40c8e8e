/** Checks a URL step by step: its form, host, DNS answers, and each address. */
import { cut } from '../../../core/cut.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { parseAddress, type Address } from './address.ts';
import { readHost } from './host-name.ts';
import { resolveWithin, type Resolve, type ResolvedAddress } from './resolve.ts';
import { checkAddress, checkName, type FetchRules } from './rules.ts';

/**
 * `addresses`: what may be connected to, IPv4 first; never empty. Whoever connects uses these and asks no resolver
 * again.
 */
export type UrlCheck = { readonly ok: true; readonly addresses: readonly ResolvedAddress[] } | Refusal;
/** The address is not to be reached, and why, in words for the model. */
export interface Refusal {
  readonly ok: false;
  readonly why: string;
}

/** One check. `detail` says why it was refused, or which exception allowed it. */
export interface GuardStep {
  readonly what: 'url' | 'host' | 'dns' | 'address';
  readonly subject: string;
  readonly ok: boolean;
  readonly detail?: string;
}

/** The rules for addresses, and the resolver for names. */
export interface ExamineOptions {
  readonly rules: FetchRules;
  readonly resolve: Resolve;
  readonly dnsTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The last step is the one that decided. Rejects with `AppError('aborted')` only. */
export async function examine(
  target: string | URL,
  options: ExamineOptions,
): Promise<{ readonly checked: UrlCheck; readonly steps: readonly GuardStep[] }> {
  if (options.signal?.aborted)
    throw new AppError('aborted', 'The check was stopped.', { cause: options.signal.reason });
  const trail = createTrail();
  return { checked: await walk(target, options, trail), steps: trail.steps };
}

async function walk(target: string | URL, options: ExamineOptions, trail: Trail): Promise<UrlCheck> {
  const url = readUrl(target);
  if (typeof url === 'string') return trail.refuse('url', withoutUser(target), url);
  trail.pass('url', url.origin);
  const host = readHost(url.hostname);
  if (host.kind === 'bad')
    return trail.refuse('host', shown(url.hostname), `${shown(url.hostname)} is refused: ${host.why}`);
  if (host.kind === 'address') {
    const checked = checkAll([host.address], { rules: options.rules, trail });
    return checked.ok && isAmbiguous(target)
      ? trail.refuse(
          'host',
          url.hostname,
          'an address with leading zeros is refused, because programs interpret it differently',
        )
      : checked;
  }
  const checked = checkName(host.name, options.rules);
  if (!checked.ok) return trail.refuse('host', host.name, checked.why);
  trail.pass('host', host.name, checked.by);
  const answers = await resolveWithin(options.resolve, host.name, {
    timeoutMs: options.dnsTimeoutMs,
    signal: options.signal,
  });
  return checkAnswers(answers ?? [], { rules: options.rules, trail, name: host.name });
}

/**
 * What is handed on as text is read again by others: `http://010.8.8.8` is 8.8.8.8 to some programs and 10.8.8.8 to
 * others.
 */
function isAmbiguous(target: string | URL): boolean {
  return typeof target === 'string' && /^\s*https?:[/\\]*([^/?#:\\]*\.)?0\d/i.test(target.normalize('NFKC'));
}

interface Examination {
  readonly rules: FetchRules;
  readonly trail: Trail;
  readonly name?: string;
}

function checkAnswers(
  answers: readonly ResolvedAddress[],
  examination: Examination & { readonly name: string },
): UrlCheck {
  const { trail, name } = examination;
  if (answers.length === 0) return trail.refuse('dns', name, `${name} does not resolve`);
  const addresses: Address[] = [];
  for (const { address: text } of answers) {
    const address = parseAddress(text);
    if (!address)
      return trail.refuse('address', shown(text), `${name} resolves to ${shown(text)}, which is not an address`);
    addresses.push(address);
  }
  return checkAll(addresses, examination);
}

/** One private answer among public ones refuses them all. */
function checkAll(addresses: readonly Address[], { rules, trail, name }: Examination): UrlCheck {
  for (const address of addresses) {
    const checked = checkAddress(address, rules, name);
    if (!checked.ok)
      return trail.refuse(
        'address',
        address.toString(),
        name === undefined
          ? `${address.toString()} ${checked.why}`
          : `${name} resolves to ${address.toString()}, which ${checked.why}`,
      );
    trail.pass('address', address.toString(), checked.by);
  }
  return { ok: true, addresses: inOrder(addresses) };
}

/** The URL, or why it is none that is fetched. */
function readUrl(target: string | URL): URL | string {
  const url = typeof target === 'string' ? URL.parse(target.trim()) : target;
  if (!url) return 'it is not a URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `only http and https are fetched, not ${shown(url.protocol.slice(0, -1))}`;
  return url.username || url.password ? 'a URL with a user name or password is not fetched' : url;
}

/** What may be a password is not repeated. */
function withoutUser(target: string | URL): string {
  const text = String(target);
  return shown(text.includes('@') ? `…${text.slice(text.lastIndexOf('@'))}` : text);
}

/** Each once, IPv4 first. */
function inOrder(all: readonly Address[]): readonly ResolvedAddress[] {
  const once = [...new Map(all.map((address) => [address.toString(), address.kind()]))].map(
    ([address, kind]) => ({ address, family: kind === 'ipv4' ? 4 : 6 }) as const,
  );
  return [...once.filter(({ family }) => family === 4), ...once.filter(({ family }) => family === 6)];
}

interface Trail {
  readonly steps: readonly GuardStep[];
  pass(what: GuardStep['what'], subject: string, by?: string): void;
  refuse(what: GuardStep['what'], subject: string, why: string): Refusal;
}

function createTrail(): Trail {
  const steps: GuardStep[] = [];
  return {
    steps,
    pass: (what, subject, by) => void steps.push(present({ what, subject, ok: true, detail: by })),
    refuse: (what, subject, why) => {
      steps.push({ what, subject, ok: false, detail: why });
      return { ok: false, why };
    },
  };
}

/** Outside text in a message: short, and nothing that moves a cursor. */
export function shown(text: string): string {
  return cut(text.slice(0, 121).replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?'), 120);
}
