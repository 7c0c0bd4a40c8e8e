/** Converts tool call ids to the form each vendor accepts: unchanged if valid, else replaced by a stable, unique id. */
import type { ProviderApi } from '../../core/provider.ts';
import { sha256Hex } from '../../platform/ids.ts';

interface IdRule {
  readonly fits: RegExp;
  /** Length of an id we make ourselves; those are letters and digits only. */
  readonly length: number;
}

const ANTHROPIC: IdRule = { fits: /^[A-Za-z0-9_-]{1,64}$/, length: 40 };
const COMPLETIONS: IdRule = { fits: /^[A-Za-z0-9_-]{1,40}$/, length: 40 };
/** Mistral takes exactly nine letters and digits. */
const NINE: IdRule = { fits: /^[A-Za-z0-9]{9}$/, length: 9 };
export const STRICT: IdRule = { fits: /^[A-Za-z0-9]{1,40}$/, length: 40 };

export function idRuleFor(target: { readonly provider: string; readonly api?: ProviderApi | undefined }): IdRule {
  if (target.provider === 'mistral') return NINE;
  switch (target.api) {
    case 'anthropic-messages':
    case 'openai-responses':
      return ANTHROPIC;
    case 'openai-completions':
    case 'google-generative-ai':
      return COMPLETIONS;
    case undefined:
      return STRICT;
  }
}

/**
 * Answers the id to send for each call of a conversation, asked in order. The same conversation gives the same ids,
 * and a call keeps its id when messages are added behind it. A raw id that appears twice is two calls.
 */
export function createCallIds(rule: IdRule): (raw: string) => string {
  const used = new Set<string>();
  const seen = new Map<string, number>();
  return (raw) => {
    const occurrence = seen.get(raw) ?? 0;
    seen.set(raw, occurrence + 1);
    let id = occurrence === 0 && rule.fits.test(raw) ? raw : made(raw, occurrence, rule);
    for (let salt = 1; used.has(id); salt++) id = made(`${raw} ${salt}`, occurrence, rule);
    used.add(id);
    return id;
  };
}

const made = (raw: string, occurrence: number, { length }: IdRule): string =>
  `${raw.replace(/[^A-Za-z0-9]/g, '').slice(0, Math.max(0, length - 16))}${sha256Hex(`${raw}\n${occurrence}`)}`.slice(
    0,
    length,
  );
