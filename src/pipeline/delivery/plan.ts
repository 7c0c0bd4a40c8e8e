/** Splits an answer into the platform's messages, one send each. Pure. */
import { present } from '../../core/present.ts';
import type { MediaRef, ReplyPayload } from '../../core/reply.ts';
import { chunkText } from './chunk.ts';
import { prefixed } from './prefix.ts';
import type { DeliveryRules } from './rules.ts';

export interface PlanFacts {
  /** The message that is answered; absent when nothing can be pointed at. */
  readonly messageId?: string | undefined;
  /** Filled in. */
  readonly prefix?: string | undefined;
  /** The outbox token of a preview that stands in the chat: the first text takes its place. */
  readonly preview?: string | undefined;
  /** Its beginning was sent already: no prefix, and nothing is pointed at again. */
  readonly continued?: boolean | undefined;
}

/** Empty: nothing is to be said. What the model wrote as directives is read already. */
export function planReply(payload: ReplyPayload, rules: DeliveryRules, facts: PlanFacts = {}): readonly ReplyPayload[] {
  const { text: said, media: files = [], replyTo, replaces, audioAsVoice, ...rest } = payload;
  const shown = rules.media ? files : [];
  const text = withUnsendable(
    payload.kind === 'notice' || facts.continued ? (said ?? '') : prefixed(said ?? '', facts.prefix),
    rules.media ? [] : files,
  );
  const preview = replaces ?? facts.preview;
  const caption =
    preview === undefined && shown.length > 0 && text.length <= rules.maxCaption && fitsOne(text, rules)
      ? text.trim()
      : undefined;
  const parts: ReplyPayload[] = [
    ...(caption === undefined ? chunkText(text, rules.chunks) : []).map(
      (chunk, index): ReplyPayload => ({
        ...rest,
        text: chunk,
        ...present({ replaces: index === 0 && preview !== undefined ? preview : undefined }),
      }),
    ),
    ...shown.map(
      (file, index): ReplyPayload => ({
        ...rest,
        media: [file],
        ...present({
          text: index === 0 && caption ? caption : undefined,
          audioAsVoice: audioAsVoice && rules.voice ? audioAsVoice : undefined,
        }),
      }),
    ),
  ];
  return parts.map((part, index) =>
    pointed(part, index + (facts.continued ? 1 : 0), { rules, replyTo, messageId: facts.messageId }),
  );
}

/** A caption cannot be cut. */
const fitsOne = (text: string, { chunks }: DeliveryRules): boolean =>
  text.trim() === '' || chunkText(text, { ...chunks, mode: 'length' }).length === 1;

/** Where a platform takes no files, people get at least the address. */
function withUnsendable(text: string, files: readonly MediaRef[]): string {
  const lines = files.map((file) =>
    file.from === 'url' ? file.url : `(The file ${file.name ?? file.path.split('/').at(-1)} cannot be sent here.)`,
  );
  return [...(text.trim() === '' ? [] : [text]), ...lines].join('\n');
}

interface Pointing {
  readonly rules: DeliveryRules;
  readonly replyTo: ReplyPayload['replyTo'];
  readonly messageId: string | undefined;
}

/**
 * G154: `off` points at nothing, `first` from the first message, `all` from every one; a tag of the model says at
 * which.
 */
function pointed(part: ReplyPayload, index: number, { rules, replyTo, messageId }: Pointing): ReplyPayload {
  const id = typeof replyTo === 'object' ? replyTo.id : messageId;
  const wanted =
    rules.replyTo === 'all' ||
    (index === 0 && (rules.replyTo === 'first' || (rules.replyTo === 'tags' && replyTo !== undefined)));
  return wanted && id !== undefined ? { ...part, replyTo: { id } } : part;
}
