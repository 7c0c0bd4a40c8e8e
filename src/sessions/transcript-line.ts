/** The lines of a transcript: JSON objects chained by `parentId`, each with the turn that wrote it. */
import { parseJson } from '../core/parse-json.ts';
import { pictureLeftOut, type ImageBlock, type Message, type TextBlock } from '../core/transcript.ts';
import { sha256Hex } from '../platform/ids.ts';

export const TRANSCRIPT_VERSION = 3;

export interface HeaderLine {
  readonly type: 'session';
  readonly version: number;
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
  readonly sessionKey: string;
  readonly parentSession?: string;
}
export interface MessageLine {
  readonly type: 'message';
  readonly id: string;
  readonly parentId?: string;
  readonly timestamp: string;
  readonly turnId?: string;
  readonly message: Message;
  /** `person`: shown in the chat, not sent to the model (commands, notices). */
  readonly audience?: 'person';
}
/** Everything before `firstKeptId` is replaced by `summary` when the conversation goes to a model. */
export interface CompactionLine {
  readonly type: 'compaction';
  readonly id: string;
  readonly parentId?: string;
  readonly timestamp: string;
  readonly summary: string;
  readonly firstKeptId?: string;
  readonly tokensBefore: number;
}

/**
 * The lines of this turn are no part of the conversation any more, for the model and for people: it came to nothing.
 */
export interface ForgetLine {
  readonly type: 'forget';
  readonly id: string;
  readonly parentId?: string;
  readonly timestamp: string;
  readonly turnId: string;
}

/**
 * Pictures a model's vendor refused, by the SHA-256 of their base64: models read `why` in their place from then on,
 * people still see them.
 */
export interface UnseenLine {
  readonly type: 'unseen';
  readonly id: string;
  readonly parentId?: string;
  readonly timestamp: string;
  readonly turnId: string;
  readonly pictures: readonly string[];
  readonly why: string;
}

export type BodyLine = MessageLine | CompactionLine | ForgetLine | UnseenLine;
export type TranscriptLine = HeaderLine | BodyLine;

/** The id of the n-th message of a turn: the same in every run of the turn, so that writing it again is noticed. */
export const turnLineId = (turnId: string, place: string | number): string =>
  sha256Hex(`${turnId}:${place}`).slice(0, 8);

/** Reads one line; undefined for anything that is not one of ours, which readers skip. */
export function parseLine(text: string): TranscriptLine | undefined {
  if (!text.startsWith('{')) return undefined;
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const line = value as TranscriptLine;
  if (line.type === 'session') return line;
  if (line.type === 'compaction' || line.type === 'forget' || (line.type === 'unseen' && Array.isArray(line.pictures)))
    return line;
  return line.type === 'message' && typeof line.message === 'object' && line.message !== null
    ? normalise(line)
    : undefined;
}

/**
 * Transcripts other programs wrote: content may be a plain string, and text blocks may carry another vendor's names.
 */
function normalise(line: MessageLine): MessageLine {
  const content: unknown = line.message.content;
  if (!Array.isArray(content)) return withContent(line, [{ type: 'text', text: String(content ?? '') }]);
  const foreign = (content as readonly { type?: unknown }[]).some(isForeignText);
  return foreign
    ? withContent(
        line,
        content.map((block: { type?: unknown }) => (isForeignText(block) ? { ...block, type: 'text' } : block)),
      )
    : line;
}

const isForeignText = (block: { type?: unknown } | null): boolean =>
  block?.type === 'input_text' || block?.type === 'output_text';
const withContent = (line: MessageLine, content: readonly unknown[]): MessageLine => ({
  ...line,
  message: { ...line.message, content } as Message,
});

export interface Spoken {
  readonly id: string;
  readonly message: Message;
}

/** The lines without those of turns that were forgotten. */
export function remembered(lines: readonly BodyLine[]): readonly BodyLine[] {
  const gone = new Set<string>();
  for (const line of lines) if (line.type === 'forget') gone.add(line.turnId);
  return gone.size === 0
    ? lines
    : lines.filter(
        (line) =>
          line.type !== 'forget' && !(line.type === 'message' && line.turnId !== undefined && gone.has(line.turnId)),
      );
}

/**
 * What a model sees of the conversation: the last summary, then the messages kept after it, without pictures that were
 * refused.
 */
export function conversation(all: readonly BodyLine[]): Spoken[] {
  const refused = new Map<string, string>();
  for (const line of all)
    if (line.type === 'unseen') for (const picture of line.pictures) refused.set(picture, line.why);
  const spoken = sinceSummary(remembered(all));
  return refused.size === 0 ? spoken : spoken.map((one) => ({ ...one, message: withoutRefused(one.message, refused) }));
}

/** By which an `unseen` line knows a picture. */
export const pictureId = ({ data }: ImageBlock): string => sha256Hex(data);

function withoutRefused(message: Message, refused: ReadonlyMap<string, string>): Message {
  if (message.role === 'assistant' || !message.content.some(({ type }) => type === 'image')) return message;
  const shown = (block: TextBlock | ImageBlock): TextBlock | ImageBlock => {
    const why = block.type === 'image' ? refused.get(pictureId(block)) : undefined;
    return why === undefined ? block : { type: 'text', text: pictureLeftOut(why) };
  };
  return { ...message, content: message.content.map(shown) };
}

/** Where the lines begin that a model is shown besides the last summary; the summary itself is never before it. */
export function shownFrom(lines: readonly BodyLine[]): number {
  const at = lines.findLastIndex((line) => line.type === 'compaction');
  const summary = lines[at];
  if (summary?.type !== 'compaction') return 0;
  const kept = lines.findLastIndex((line) => line.id === summary.firstKeptId);
  return kept === -1 ? at : Math.min(kept, at);
}

function sinceSummary(lines: readonly BodyLine[]): Spoken[] {
  const summary = lines.findLast((line) => line.type === 'compaction');
  if (!summary) return spokenFrom(lines, 0);
  const opening: Message = {
    role: 'user',
    content: [{ type: 'text', text: `[Summary of the conversation so far]\n${summary.summary}` }],
    timestamp: Date.parse(summary.timestamp),
  };
  return [{ id: summary.id, message: opening }, ...spokenFrom(lines, shownFrom(lines))];
}

/** Asked several times a turn of conversations with thousands of lines: nothing is made for a line but what is kept. */
function spokenFrom(lines: readonly BodyLine[], first: number): Spoken[] {
  const spoken: Spoken[] = [];
  for (let at = first; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.type === 'message' && line.audience !== 'person') spoken.push({ id: line.id, message: line.message });
  }
  return spoken;
}
