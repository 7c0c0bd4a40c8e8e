/** The words for attachments that gave no text: one sentence for the agent, one for the person. */
import type { MediaCapability, Note } from '../../../core/understanding.ts';
import type { AttachmentFile } from '../attachments.ts';
import { inertLine, quotedName } from '../../../core/inert-line.ts';

/** Why there is no text; `because` is a clause like "it is larger than 20 MiB". */
export type Why =
  | { readonly kind: 'limit' | 'disabled' | 'no-model' | 'scope-deny' | 'too-small' }
  | { readonly kind: 'unreadable' | 'failed'; readonly because: string };

export type Remark = Note & { readonly kind: 'remark' };

export function remarkOn(
  { index, name }: Pick<AttachmentFile, 'index' | 'name'>,
  capability: MediaCapability,
  why: Why,
): Remark {
  const called = quotedName({ name });
  return {
    kind: 'remark',
    attachment: index,
    text: forAgent(called, capability, why),
    tell: `I could not ${VERBS[capability]} ${called}: ${forPerson(capability, why)}.`,
  };
}

/** A stable word first, for the decision. */
export function reasonOf(why: Why): string {
  switch (why.kind) {
    case 'limit':
      return 'attachment limit';
    case 'disabled':
      return 'disabled';
    case 'no-model':
      return 'no model';
    case 'scope-deny':
      return 'scope-deny';
    case 'too-small':
      return 'tooSmall';
    default:
      return why.because;
  }
}

const VERBS: Readonly<Record<MediaCapability, string>> = { image: 'look at', audio: 'listen to', video: 'watch' };
const TITLES: Readonly<Record<MediaCapability, string>> = { image: 'Image', audio: 'Audio', video: 'Video' };
const MANY: Readonly<Record<MediaCapability, string>> = { image: 'pictures', audio: 'recordings', video: 'films' };

function forAgent(called: string, capability: MediaCapability, why: Why): string {
  const what = `${TITLES[capability]} attachment ${called}`;
  switch (why.kind) {
    case 'limit':
      return `[${what} not processed: attachment limit reached]`;
    case 'disabled':
      return `[${what} not analyzed: ${capability} understanding is disabled]`;
    case 'no-model':
      return `[${what} not analyzed: no ${capability}-understanding model is configured]`;
    case 'scope-deny':
      return `[${what} not analyzed in this chat]`;
    case 'too-small':
      return '[Voice note could not be transcribed because the audio attachment was too small]';
    case 'unreadable':
      return `[${what} could not be read: ${inertLine(why.because)}]`;
    case 'failed':
      return `[${what} could not be analyzed: ${inertLine(why.because)}]`;
  }
}

function forPerson(capability: MediaCapability, why: Why): string {
  switch (why.kind) {
    case 'limit':
      return `the message has more ${MANY[capability]} than the limit`;
    case 'disabled':
      return `understanding of ${MANY[capability]} is disabled`;
    case 'no-model':
      return `no model for ${MANY[capability]} is set up`;
    case 'scope-deny':
      return `${MANY[capability]} are not read in this chat`;
    case 'too-small':
      return 'the recording is too short';
    default:
      return plainly(inertLine(why.because));
  }
}

/** Without the word that is for the record, and the full stop that will follow anyway. */
const plainly = (because: string): string =>
  because === 'empty output'
    ? 'nothing was found in it'
    : because.replace(/^(maxBytes|timeout|unsupported|blocked): /, '').replace(/(?<![.\s])[.\s]+$/, '');
