/** The documented blocks in which descriptions and transcripts reach the agent. */
import { MEDIA_CAPABILITIES, type MediaCapability, type Note } from '../../../core/understanding.ts';
import { neutralise } from '../../../core/neutralise.ts';

interface Understood {
  /** What the person wrote. */
  readonly text: string;
  readonly notes: readonly Note[];
}

type MediaNote = Note & { readonly kind: MediaCapability };

/** What a channel writes in place of a file, alone or before the caption, at times with facts in brackets. */
const PLACEHOLDER = /^<media:[^>\s]+>(\s*\([^)]*\))?\s*/i;

/** A sticker as channels name it, on a line of its own: shown, and nobody's words. */
const STICKER = /^<media:sticker>[^\n]*(?:\n|$)/gim;

/** The person's own words without the placeholder; undefined when there are none. */
export function userText(text: string): string | undefined {
  const trimmed = text.replace(STICKER, '').trim();
  const placeholder = PLACEHOLDER.exec(trimmed);
  if (!placeholder) return trimmed || undefined;
  if (placeholder[0].trim().length === trimmed.length) return undefined;
  return trimmed.replace(/^<media:[^>\s]+>\s*/i, '').trim() || undefined;
}

/** The text with everything understood of pictures, recordings and films; without any, the text as it was. */
export function formatMedia({ text, notes }: Understood): string {
  const blocks = mediaNotes(notes);
  if (blocks.length === 0) return text;
  const written = userText(text);
  const stickers = (text.match(STICKER) ?? []).map((line) => line.trim());
  if (blocks.length === 1) return [...stickers, section(blocks[0]!, '', written)].join('\n\n');
  const sections = blocks.map((note) => section(note, numbering(note, blocks)));
  return [...stickers, ...(written ? [`User text:\n${written}`] : []), ...sections].join('\n\n');
}

/** What commands are read in: the caption, else what was said, else the text as it was. */
export function commandText({ text, notes }: Understood): string {
  const blocks = mediaNotes(notes);
  if (blocks.length === 0) return text;
  const spoken = blocks.filter(({ kind }) => kind === 'audio').map((note) => note.text);
  return (
    userText(text) ??
    (spoken.length > 0
      ? spoken.map((said, index) => (spoken.length > 1 ? `Audio ${index + 1}:\n${said}` : said)).join('\n\n')
      : text)
  );
}

/** More than these would drown the message. */
const MAX_REMARKS = 5;

/** One line per attachment that gave no text, the rest counted; empty when there is none. Remarks are our own words. */
export function formatRemarks(notes: readonly Note[]): string {
  const remarks = notes.flatMap((note) => (note.kind === 'remark' ? [note.text] : []));
  const more = remarks.length - MAX_REMARKS;
  return [
    ...remarks.slice(0, MAX_REMARKS),
    ...(more > 0 ? [`[${more} more ${more === 1 ? 'attachment' : 'attachments'} skipped]`] : []),
  ].join('\n');
}

function mediaNotes(notes: readonly Note[]): readonly MediaNote[] {
  return MEDIA_CAPABILITIES.flatMap((kind) =>
    notes
      .filter((note): note is MediaNote => note.kind === kind && note.text.trim() !== '')
      .toSorted((a, b) => a.attachment - b.attachment),
  );
}

function numbering(note: MediaNote, all: readonly MediaNote[]): string {
  const same = all.filter(({ kind }) => kind === note.kind);
  return same.length > 1 ? ` ${same.indexOf(note) + 1}/${same.length}` : '';
}

const TITLES: Readonly<Record<MediaCapability, string>> = { image: 'Image', audio: 'Audio', video: 'Video' };

/** Programs that turn what they see or hear into words by likelihood; what they write is not what stands there. */
const RECOGNISERS: ReadonlySet<string> = new Set([
  'tesseract',
  'pocketsphinx',
  'pocketsphinx_continuous',
  'whisper',
  'whisper-cli',
  'sherpa-onnx-offline',
]);

/** Its name, where a program of this machine guessed the words; undefined where a model described or transcribed. */
export function recogniser({
  provider,
  model,
}: {
  readonly provider?: string;
  readonly model?: string;
}): string | undefined {
  const name = model?.split(/[\\/]/).at(-1) ?? '';
  return provider === 'cli' && RECOGNISERS.has(name) ? name : undefined;
}

function section(note: MediaNote, number: string, written?: string): string {
  const heading = note.kind === 'audio' ? 'Transcript:' : 'Description:';
  const by = recogniser(note) ? [`Recognised by: ${recogniser(note)}`] : [];
  return [
    `[${TITLES[note.kind]}${number}]`,
    ...(written ? ['User text:', written] : []),
    ...by,
    heading,
    neutralise(note.text.trim()),
  ].join('\n');
}
