/** Converts Teams messages to plain text: mentions, entities, and quotations in HTML. Linear in its input. Pure. */
import { present } from '../../sdk/index.ts';
import type { Activity, Entity } from './activity.ts';

const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (text: string): string =>
  text.replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!);
const MAX_HTML = 100_000;
const QUOTE_END = '</blockquote>';

export interface Words {
  readonly text: string;
  readonly mentioned: boolean;
  readonly others: boolean;
  readonly quoted?: { readonly id: string; readonly text: string; readonly sender?: string };
}

/** `self`: the bot's own id in the conversation. */
export function wordsOf(activity: Activity, self: string | undefined): Words {
  const html = htmlOf(activity);
  const end = html === undefined ? -1 : html.lastIndexOf(QUOTE_END);
  const quoted = html === undefined || end === -1 ? undefined : quotedIn(html.slice(0, end));
  const own = quoted && html !== undefined ? html.slice(end + QUOTE_END.length) : undefined;
  const written = own === undefined ? (activity.text ?? '') : withBreaks(own);
  const mentions = (activity.entities ?? []).filter(({ type }) => type === 'mention');
  const isSelf = ({ mentioned }: Entity): boolean => self !== undefined && mentioned?.id === self;
  const ours = mentions.filter(isSelf);
  let text = written;
  for (const { text: mark } of ours) if (mark) text = text.replaceAll(mark, '');
  text = text.replace(/<at[^<>]{0,200}>([^<>]{0,200})<\/at>/g, (_, name: string) => named(name, ours));
  return {
    text: decoded(own === undefined ? text : withoutTags(text)).trim(),
    mentioned: ours.length > 0,
    others: mentions.length > ours.length,
    ...present({ quoted }),
  };
}

/** In HTML the bot is named as others are. */
const named = (name: string, ours: readonly Entity[]): string =>
  ours.some(({ mentioned }) => mentioned?.name === name) ? '' : `@${name}`;

function htmlOf({ attachments = [] }: Activity): string | undefined {
  const html = attachments.find(({ contentType }) => contentType === 'text/html')?.content;
  return typeof html === 'string' && html.length <= MAX_HTML ? html : undefined;
}

function quotedIn(html: string): Words['quoted'] {
  const at = html.indexOf('schema.skype.com/Reply');
  const id = at === -1 ? undefined : /itemid="(\d{5,20})"/.exec(html.slice(at, at + 200))?.[1];
  if (id === undefined) return undefined;
  const sender = /<strong[^<>]{0,200}>([^<>]{0,200})<\/strong>/.exec(html)?.[1];
  const from = html.indexOf('itemprop="preview"');
  const text = from === -1 ? '' : decoded(withoutTags(html.slice(html.indexOf('>', from) + 1))).trim();
  return { id, text, ...present({ sender: sender ? decoded(sender) : undefined }) };
}

const withBreaks = (html: string): string => html.replace(/<br[^<>]{0,20}>|<\/p>|<\/div>/g, '\n');
const withoutTags = (html: string): string => html.replace(/<[^<>]{0,500}>/g, '').replace(/\n{3,}/g, '\n\n');
