/** The prefix of answers, e.g. `[Clawd]`. Pure. */

/** What a prefix may name; what is unknown stays as it is written. */
export interface PrefixFacts {
  readonly model?: string;
  readonly provider?: string;
  readonly thinkingLevel?: string;
  readonly identityName?: string;
}

/** `auto`: the agent's name. Undefined when there is nothing to put before. */
export function prefixOf(template: string | undefined, facts: PrefixFacts): string | undefined {
  const wanted =
    template?.trim() === 'auto'
      ? facts.identityName === undefined
        ? ''
        : `[${facts.identityName}]`
      : filled(template ?? '', facts);
  return wanted.trim() === '' ? undefined : wanted.trim();
}

/** Where several agents answer, a prefix says which of them speaks, whatever else it says. */
export const signed = (template: string | undefined, name: string): string =>
  /\{identity\.?name\}/i.test(template ?? '')
    ? template!
    : [`[${name}]`, ...(template === undefined || ['', 'auto'].includes(template.trim()) ? [] : [template])].join(' ');

/** Markdown that means something only at the beginning of a line. */
const BLOCK = /^\s{0,3}(?:`{3}|~{3}|#{1,6} |[-*+>|]|\d+[.)] )/;

/** The text with it, once. */
export const prefixed = (text: string, prefix: string | undefined): string =>
  prefix === undefined || text === '' || text.startsWith(prefix)
    ? text
    : `${prefix}${BLOCK.test(text) ? '\n' : ' '}${text}`;

function filled(template: string, { model, provider, thinkingLevel, identityName }: PrefixFacts): string {
  const short = model?.split('/').at(-1);
  const full = model === undefined || provider === undefined ? model : `${provider}/${model}`;
  const values: Readonly<Record<string, string | undefined>> = {
    model: short,
    modelfull: full,
    provider,
    thinkinglevel: thinkingLevel,
    think: thinkingLevel,
    'identity.name': identityName,
    identityname: identityName,
  };
  return template.replace(/\{([\w.]+)\}/g, (whole, name: string) => values[name.toLowerCase()] ?? whole);
}
