/** What a model writes beside its words: which message it answers, files to send, embeds, "say nothing". Pure. */
import { SILENT_REPLY } from './product.ts';
import type { ReplyPayload } from './reply.ts';
import { fenceAfter, type Fence } from './fence.ts';
import { present } from './present.ts';
import type { AssistantMessage } from './transcript.ts';

/** An answer taken apart: its words, and the directives the model wrote among them. */
export interface Spoken {
  /** The words, every directive gone; code blocks are as they were. */
  readonly text: string;
  readonly replyTo?: NonNullable<ReplyPayload['replyTo']>;
  readonly audioAsVoice?: true;
  /** Paths and addresses as they were written; nobody has looked at them yet. */
  readonly media: readonly string[];
  readonly embeds: NonNullable<ReplyPayload['embeds']>;
  /** It asked that nothing be said. Files are sent all the same. */
  readonly silent: boolean;
}

const HEARTBEAT_OK = 'HEARTBEAT_OK';
const TAG =
  /\[\[\s{0,16}(?:(reply_to_current)|reply_to\s{0,16}:\s{0,16}([^\s\]](?:[^\]\n]{0,254}[^\s\]])?)|(audio_as_voice))\s{0,16}\]\]/gi;
const EMBED = /\[embed\b([^\]\n]{0,400}?)(?:\/\]|\](?:(?:(?!\[embed\b)[\s\S]){0,20000}?\[\/embed\])?)/gi;
const MEDIA_LINE = /^\s*MEDIA:\s*(\S.*)$/s;
const SILENT_START = new RegExp(`^\\W*${SILENT_REPLY}\\b`);
const SILENT_END = new RegExp(`\\b${SILENT_REPLY}\\W*$`);

/** Never throws; what is no directive stays as it stands. */
export function readDirectives(written: string): Spoken {
  const found: Found = { media: [], embeds: [] };
  const text = outsideFences(written, (part) => readLines(part, found))
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  const silent = SILENT_START.test(text) || SILENT_END.test(text);
  return {
    text: silent ? '' : withoutHeartbeat(text),
    media: [...new Set(found.media)],
    embeds: found.embeds,
    silent,
    ...present({ replyTo: found.replyTo, audioAsVoice: found.voice ? true : undefined }),
  };
}

/** False: there is none in it; asked of every text, however long. */
export const mayDirect = (written: string): boolean =>
  written.includes('MEDIA:') || written.includes('[[') || /\[embed\b/i.test(written);

/** The words of each block without directives, unless nothing would be left of them. */
export const withoutDirectives = (message: AssistantMessage): AssistantMessage => ({
  ...message,
  content: message.content.map((block) =>
    block.type === 'text' && mayDirect(block.text)
      ? { ...block, text: readDirectives(block.text).text || block.text }
      : block,
  ),
});

interface Found {
  replyTo?: NonNullable<ReplyPayload['replyTo']>;
  voice?: true;
  readonly media: string[];
  readonly embeds: { ref?: string; url?: string; title?: string }[];
}

/** Applies `change` to every run of lines that is not inside a code fence. */
function outsideFences(text: string, change: (part: string) => string): string {
  const parts: { readonly code: boolean; readonly lines: string[] }[] = [];
  let open: Fence | undefined;
  for (const line of text.split('\n')) {
    const after = fenceAfter(open, line);
    const code = open !== undefined || after !== undefined;
    if (parts.at(-1)?.code === code) parts.at(-1)!.lines.push(line);
    else parts.push({ code, lines: [line] });
    open = after;
  }
  const changed = parts.map(({ code, lines }) => (code ? lines.join('\n') : change(lines.join('\n'))));
  return changed
    .filter((part, index) => part !== '' || parts[index]!.lines.length > 1 || parts[index]!.lines[0] === '')
    .join('\n');
}

/** A line that held nothing else goes with its directive. */
function readLines(text: string, found: Found): string {
  const plain = text.replace(EMBED, (_whole, attributes: string) => noted(attributes, found));
  return plain
    .split('\n')
    .flatMap((line, index, lines) => {
      const media = MEDIA_LINE.exec(line)?.[1]?.trimEnd();
      const ref = media === undefined ? undefined : mediaRef(media);
      if (ref !== undefined) found.media.push(ref);
      const rest = ref === undefined ? withoutTags(line, found) : '';
      const emptied =
        rest.trim() === '' && (line.trim() !== '' || (plain !== text && index > 0 && lines[index - 1] === GONE));
      return emptied ? [] : [rest.replaceAll(GONE, '')];
    })
    .join('\n');
}

/** Marks where an embed stood, so that a line it had for itself goes with it. */
const GONE = '\u0000';

function noted(attributes: string, found: Found): string {
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`, 'i').exec(attributes)?.[1];
  const [ref, url, title] = [attribute('ref'), attribute('url'), attribute('title')];
  if (ref !== undefined || url !== undefined) found.embeds.push(present({ ref, url, title }));
  return GONE;
}

function withoutTags(line: string, found: Found): string {
  let any = line.includes(GONE);
  const rest = line.replace(
    TAG,
    (_whole, current: string | undefined, id: string | undefined, voice: string | undefined) => {
      any = true;
      if (current) found.replyTo ??= 'current';
      else if (id !== undefined) found.replyTo ??= { id };
      else if (voice) found.voice = true;
      return GONE;
    },
  );
  // One of the two spaces around a tag goes with it.
  return any
    ? rest
        .replace(/^(?:\u0000[ \t]*)+/, '')
        .replace(/(?<![ \t])[ \t]*(?:\u0000[ \t]*)+/g, (gap) => (/^[ \t]|[ \t]$/.test(gap) ? ' ' : ''))
        .trimEnd()
    : line;
}

/** A path or an address; words behind `MEDIA:` are words. */
function mediaRef(written: string): string | undefined {
  const bare = written
    .replace(/^(["'`])(.+)\1$/, '$2')
    .replace(/^<(.+)>$/, '$1')
    .trim();
  if (/^(?:https?|file):\/\/\S+$/i.test(bare)) return bare;
  if (/^(?:~|\.{1,2})?\//.test(bare)) return bare;
  return /^[^\s:][^\n:]*\.\w{1,8}$/.test(bare) && (!/\s/.test(bare) || bare !== written) ? bare : undefined;
}

/** No pattern here begins with a repeated blank: on a long run of them that would be slow. */
const withoutHeartbeat = (text: string): string =>
  text
    .replace(new RegExp(`^\\W*${HEARTBEAT_OK}\\b[.!]?\\s*`), '')
    .replace(new RegExp(`\\b${HEARTBEAT_OK}\\W*$`), '')
    .trimEnd();

const TOKENS = [SILENT_REPLY, HEARTBEAT_OK];

/**
 * What of an answer that is still being written may be shown: an unfinished directive, or what may yet become one, is
 * held back.
 * Grows with the answer, apart from white space at its end.
 */
export function shownSoFar(written: string): string {
  const { text, silent } = readDirectives(written.slice(0, written.length - heldBack(written)));
  return silent ? '' : text;
}

/** The same in the product's own chat, where a text without directives is shown as it is written. */
export const seenSoFar = (written: string): string =>
  mayDirect(written) ? shownSoFar(written) : written.slice(0, written.length - begun(written.slice(-LONGEST_BEGUN)));

/** Characters of the longest beginning of a directive that is none yet, with what stands before it on its line. */
const LONGEST_BEGUN = 16;
const begun = (end: string): number =>
  /(?:(?<=^|\n)[ \t]*M(?:E(?:D(?:I(?:A)?)?)?)?|\[(?:[Ee](?:[Mm](?:[Bb][Ee]?)?)?)?)$/.exec(end)?.[0].length ?? 0;

/** Characters at the end that may still become a directive. */
function heldBack(written: string): number {
  const line = written.slice(written.lastIndexOf('\n') + 1);
  if (/^\s*(?:M(?:E(?:D(?:I(?:A(?::.*)?)?)?)?)?)?$/.test(line) && line.trim() !== '') return line.length;
  if (/^ {0,3}(?:~*`+|~)[^`\n]*$/.test(line)) return line.length; // a fence whose first or last line is not whole
  const bracket = /\[(?:\[[^[\]\n]*\]?|\/?e(?:m(?:b(?:e(?:d[^[\]\n]*)?)?)?)?)?$/i.exec(line);
  if (bracket) return line.length - bracket.index;
  const embed = written.toLowerCase().lastIndexOf('[embed');
  if (
    embed !== -1 &&
    /^\[embed[^\]]*(?<!\/)\](?!.*\[\/embed\])/is.test(written.slice(embed)) &&
    written.length - embed < 20_000
  )
    return written.length - embed;
  const word = /[*_~` ]*\b\w+\W*$/.exec(written.slice(-40))?.[0] ?? '';
  return TOKENS.some((token) => token.startsWith(word.trim().replace(/^\W+/, '')) && word.trim() !== '')
    ? word.length
    : 0;
}
