/** Converts the agent's Markdown to mrkdwn, and people's mrkdwn to plain text. Pure. */
import type { MarkdownDialect } from '../../sdk/markdown.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** A person or a channel by id; everything else in angle brackets, such as a shout at everybody, stays words. */
const NAMED = /(<@[UW][A-Z0-9]{2,}>|<#[CG][A-Z0-9]{2,}>)/;

export const escapeText = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char]!);
const escapeWords = (text: string): string =>
  text
    .split(NAMED)
    .map((part, index) => (index % 2 === 1 ? part : escapeText(part)))
    .join('');
const escapeUrl = (url: string): string =>
  escapeText(url.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E'));

export const slackDialect: MarkdownDialect = {
  escape: escapeWords,
  escapeCode: escapeText,
  bold: ['*', '*'],
  italic: ['_', '_'],
  strike: ['~', '~'],
  code: ['`', '`'],
  codeBlock: (text) => `\`\`\`\n${escapeText(text).replaceAll('```', '`\u200b``')}\n\`\`\``,
  link: (label, url) =>
    label === '' || label === escapeText(url) || label === escapeText(url.replace(/^mailto:/, ''))
      ? `<${escapeUrl(url)}>`
      : `<${escapeUrl(url)}|${label.replaceAll('\n', ' ')}>`,
  quote: (text) =>
    text
      .split('\n')
      .map((line) => `>${line === '' ? '' : ` ${line}`}`)
      .join('\n'),
  heading: (text) => `*${text.replaceAll('*', '')}*`,
  bullet: '• ',
  rule: '———',
};

/** What ids are called; undefined: nobody knows. */
export interface KnownNames {
  user(id: string): string | undefined;
  chat(id: string): string | undefined;
}

/** A mention, or an address with its scheme. */
const TOKEN = /<((?:[@#!]|[a-z][a-z0-9+.-]{1,20}:)[^<>\n]{1,3000})>/gi;

/** Mentions become names, links keep their address, entities become characters. */
export function readText(raw: string, names: KnownNames): string {
  let text = '';
  let done = 0;
  for (const match of raw.matchAll(TOKEN)) {
    text += decode(raw.slice(done, match.index)) + readToken(match[1]!, names);
    done = match.index + match[0].length;
  }
  return text + decode(raw.slice(done));
}

/** Ids of the people who are mentioned, in order. */
export const mentionsIn = (raw: string): readonly string[] =>
  Array.from(raw.matchAll(/<@([UWB][A-Z0-9]+)(?:\|[^<>]*)?>/g), (match) => match[1]!);
/** Somebody in particular is meant, be it a group of people; not everybody. */
export const mentionsTeam = (raw: string): boolean => /<!subteam\^/.test(raw);
export const channelsIn = (raw: string): readonly string[] =>
  Array.from(raw.matchAll(/<#([CG][A-Z0-9]+)>/g), (match) => match[1]!);
/** The words without the mention of `id`. */
export const withoutMention = (raw: string, id: string): string =>
  raw.replace(new RegExp(`<@${id}(?:\\|[^<>]*)?>[ \\t]*:?`, 'g'), '').trim();

/**
 * What somebody typed and nothing a name or a label could add: ids stay ids, links are their address, entities become
 * characters.
 */
export function readTyped(raw: string): string {
  const bare = raw.replace(TOKEN, (_, token: string) => {
    const target = token.split('|', 1)[0]!;
    return /^[@#!]/.test(target) ? `&lt;${target}&gt;` : target.replace(/^mailto:|^tel:/, '');
  });
  return decode(bare);
}

function readToken(token: string, names: KnownNames): string {
  const [target = '', ...rest] = token.split('|');
  const label = decode(rest.join('|'));
  if (target.startsWith('@')) return `@${names.user(target.slice(1)) ?? (label || target.slice(1))}`;
  if (target.startsWith('#')) return `#${label || (names.chat(target.slice(1)) ?? target.slice(1))}`;
  if (target.startsWith('!')) return readCommand(target.slice(1), label);
  return readLink(decode(target), label);
}

/** `!here`, `!subteam^S1|@team`, `!date^…|fallback`. */
function readCommand(target: string, label: string): string {
  const word = target.split('^')[0]!;
  if (word === 'date') return label || target;
  return label ? `@${label.replace(/^@/, '')}` : `@${word}`;
}

function readLink(url: string, label: string): string {
  const short = url.replace(/^mailto:|^tel:/, '');
  if (short !== url) return !label || label === short ? short : `${label} (${short})`;
  if (!label || label === url || url.replace(/^https?:\/\//, '').replace(/\/$/, '') === label.replace(/\/$/, ''))
    return url;
  return `${label} (${url})`;
}

const decode = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
