/**
 * Everything of one kind in a message – pictures, recordings or films: what is looked at, what is left, and the record
 * of both.
 */
import { AppError, asAppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { Attempt, AttachmentDecision, MediaCapability, MediaDecision, Note } from '../../../core/understanding.ts';
import type { AttachmentFile } from '../attachments.ts';
import { closedBy } from './closed-by.ts';
import type { MediaRun } from './media-run.ts';
import { reasonOf, remarkOn, type Why } from './remarks.ts';
import { selectAttachments } from './select-attachments.ts';
import { understandFile, type Understood } from './understand-file.ts';
import { understandFilm } from './understand-film.ts';

export interface Part {
  readonly notes: readonly Note[];
  readonly decision: MediaDecision;
}

/** What became of one attachment; no note when the chat model gets it as it is. */
interface Piece {
  readonly note?: Note;
  readonly decision: AttachmentDecision;
}

/** `heard`: a recording of this message that was transcribed before. Rejects with `aborted`, or with a fault. */
export async function understandCapability(
  capability: MediaCapability,
  run: MediaRun,
  transcribed?: Note,
): Promise<Part> {
  const files = run.context.files.filter(({ kind }) => kind === capability);
  const closed = closedBy(capability, run);
  if (files.length === 0) return part(capability, [], closed === 'disabled' ? closed : 'no-attachment');
  if (closed) return part(capability, await leaveAll(files, capability, run, { kind: closed }), closed);
  const native = await nativeModel(capability, run);
  const readable = files.filter(({ trouble }) => trouble === undefined);
  const unreadable = await leaveAll(
    files.filter(({ trouble }) => trouble !== undefined),
    capability,
    run,
  );
  const { shown, hidden } = native
    ? await shownAndHidden(readable, run)
    : { shown: [], hidden: new Map<AttachmentFile, string>() };
  const unread = native ? [...hidden.keys()] : readable;
  const { chosen, left } = selectAttachments(unread, run.config[capability].attachments, run.context.message);
  const pieces: Piece[] = transcribed && 'attachment' in transcribed ? [transcribedBefore(transcribed, files)] : [];
  for (const file of chosen) if (!hasPiece(pieces, file)) pieces.push(await understandOne(file, capability, run));
  const over = await leaveAll(
    left.filter((file) => !hasPiece(pieces, file)),
    capability,
    run,
    { kind: 'limit' },
  );
  const shownPieces = native ? shown.map((file) => shownPiece(file, [native])) : [];
  return part(capability, [
    ...shownPieces,
    ...[...pieces, ...over].map((piece) => (native ? notShown(piece, native, hidden) : piece)),
    ...unreadable,
  ]);
}

/** Of pictures a chat model would be shown, those it can be, and the others with what speaks against it. */
async function shownAndHidden(
  files: readonly AttachmentFile[],
  { context }: MediaRun,
): Promise<{ shown: AttachmentFile[]; hidden: Map<AttachmentFile, string> }> {
  const shownPictures = await Promise.all(
    files.map(async (file) => ({ file, picture: await context.modelPictures(file) })),
  );
  return {
    shown: shownPictures.flatMap(({ file, picture }) => (picture.ok ? file : [])),
    hidden: new Map(shownPictures.flatMap(({ file, picture }) => (picture.ok ? [] : [[file, picture.why] as const]))),
  };
}

/** The record says that the chat model would have been shown it. */
function notShown({ note, decision }: Piece, native: Attempt, hidden: ReadonlyMap<AttachmentFile, string>): Piece {
  const why = [...hidden].find(([{ index }]) => index === decision.attachmentIndex)?.[1];
  return {
    ...present({ note }),
    decision: { ...decision, attempts: [{ ...native, reason: `unsupported: ${why}` }, ...decision.attempts] },
  };
}

/**
 * The first recording of the message, whatever the selection says; undefined when it gives no text. Rejects like
 * `understandCapability`.
 */
export async function transcribeFirst(run: MediaRun): Promise<Note | undefined> {
  const first = run.context.files.find(({ kind, trouble }) => kind === 'audio' && trouble === undefined);
  if (!first || closedBy('audio', run)) return undefined;
  const { note } = await understandOne(first, 'audio', run);
  return note?.kind === 'audio' ? note : undefined;
}

/**
 * All attachments of the kind are named with the fault that kept them from being looked at. Nobody is asked anything.
 */
export function brokenPart(capability: MediaCapability, files: readonly AttachmentFile[], error: unknown): Part {
  const why: Why = { kind: 'failed', because: asAppError(error).message };
  return part(
    capability,
    files.filter(({ kind }) => kind === capability).map((file) => named(file, capability, why)),
    'failed',
  );
}

/**
 * The attempt that stands for a chat model which sees pictures itself; what somebody configured for pictures wins over
 * it.
 */
async function nativeModel(capability: MediaCapability, run: MediaRun): Promise<Attempt | undefined> {
  if (capability !== 'image' || (await run.configured('image')).explicit) return undefined;
  const model = await run.active();
  return model?.seesImages
    ? {
        type: 'provider',
        provider: model.provider,
        model: model.model,
        outcome: 'skipped',
        reason: 'primary model supports vision natively',
      }
    : undefined;
}

/** Shorter recordings are noise: no second of speech fits. */
const LEAST_AUDIO_BYTES = 1024;

async function understandOne(file: AttachmentFile, capability: MediaCapability, run: MediaRun): Promise<Piece> {
  if (capability === 'audio' && (file.size ?? Infinity) < LEAST_AUDIO_BYTES)
    return leave(file, capability, run, { kind: 'too-small' });
  const since = run.deps.clock.monotonic();
  const { attempts, chosen, text } = await askAll(file, capability, run);
  const ms = Math.round(run.deps.clock.monotonic() - since);
  if (!chosen || !text) {
    const piece = await leave(
      file,
      capability,
      run,
      attempts.length > 0 ? { kind: 'failed', because: whyNone(attempts) } : { kind: 'no-model' },
    );
    return { ...piece, decision: { ...piece.decision, attempts, ms } };
  }
  const note: Note = {
    kind: capability,
    attachment: file.index,
    text,
    provider: chosen.provider ?? '',
    model: chosen.model ?? '',
  };
  return { note, decision: { attachmentIndex: file.index, name: file.name, attempts, chosen, ms } };
}

/** Films nobody watches are taken apart, unless somebody said who is to watch them. */
async function askAll(file: AttachmentFile, capability: MediaCapability, run: MediaRun): Promise<Understood> {
  const { entries, auto } = await run.entriesFor(capability);
  const result = await understandFile(
    { entries, auto, file, capability, block: run.config[capability], context: run.context },
    run.deps,
  );
  if (result.text || capability !== 'video' || !auto) return result;
  const film = await understandFilm(file, run);
  return film ? { ...film, attempts: [...result.attempts, ...film.attempts] } : result;
}

/** What failed says more than what was never going to work. */
function whyNone(attempts: readonly Attempt[]): string {
  const telling = attempts.findLast(({ outcome }) => outcome === 'failed') ?? attempts.at(-1);
  return telling?.reason ?? 'it returned nothing';
}

const hasPiece = (pieces: readonly Piece[], { index }: AttachmentFile): boolean =>
  pieces.some(({ decision }) => decision.attachmentIndex === index);

function transcribedBefore(
  transcribed: Note & { readonly attachment: number },
  files: readonly AttachmentFile[],
): Piece {
  const by = transcribed.kind === 'audio' ? { provider: transcribed.provider, model: transcribed.model } : {};
  const chosen: Attempt = {
    type: by.provider === 'cli' ? 'cli' : 'provider',
    ...by,
    outcome: 'success',
    reason: 'transcribed when the message was accepted',
  };
  const name = files.find(({ index }) => index === transcribed.attachment)?.name;
  return {
    note: transcribed,
    decision: {
      attachmentIndex: transcribed.attachment,
      ...present({ name: name || undefined }),
      attempts: [chosen],
      chosen,
    },
  };
}

/** Without a `why`: each for its own failure. */
function leaveAll(
  files: readonly AttachmentFile[],
  capability: MediaCapability,
  run: MediaRun,
  why?: Why,
): Promise<Piece[]> {
  return Promise.all(
    files.map(async (file) =>
      leave(file, capability, run, file.trouble === undefined && why ? why : await troubleOf(file)),
    ),
  );
}

/** A chat model that sees gets every picture that has no description, so nothing is lost and nothing is said. */
async function leave(file: AttachmentFile, capability: MediaCapability, run: MediaRun, why: Why): Promise<Piece> {
  if (capability !== 'image' || file.trouble !== undefined || !(await run.active())?.seesImages)
    return named(file, capability, why);
  const picture = await run.context.modelPictures(file);
  return picture.ok ? shownPiece(file, []) : named(file, capability, { kind: 'unreadable', because: picture.why });
}

const named = (file: AttachmentFile, capability: MediaCapability, why: Why): Piece => ({
  note: remarkOn(file, capability, why),
  decision: { attachmentIndex: file.index, name: file.name, attempts: [], reason: reasonOf(why) },
});

function shownPiece({ index, name }: AttachmentFile, attempts: readonly Attempt[]): Piece {
  const [chosen] = attempts;
  return {
    decision: present({ attachmentIndex: index, name, attempts, chosen, reason: 'sent to the chat model' }),
  };
}

const WORDS: Readonly<Record<string, string>> = {
  too_large: 'maxBytes',
  timeout: 'timeout',
  denied: 'blocked',
  unsupported: 'unsupported',
};

async function troubleOf(file: AttachmentFile): Promise<Why> {
  const code = await file.path().then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : undefined),
  );
  const word = code && WORDS[code];
  return { kind: 'unreadable', because: [word, file.trouble].filter(Boolean).join(': ') };
}

/** In the order of the message. */
function part(capability: MediaCapability, pieces: readonly Piece[], outcome?: MediaDecision['outcome']): Part {
  const sorted = pieces.toSorted((a, b) => a.decision.attachmentIndex - b.decision.attachmentIndex);
  const attachments = sorted.map(({ decision }) => decision);
  return {
    notes: sorted.flatMap(({ note }) => note ?? []),
    decision: { capability, outcome: outcome ?? outcomeOf(sorted), attachments },
  };
}

function outcomeOf(pieces: readonly Piece[]): MediaDecision['outcome'] {
  if (pieces.some(({ note }) => note && note.kind !== 'remark')) return 'success';
  return pieces.some(({ decision }) => decision.attempts.some(({ outcome }) => outcome === 'failed'))
    ? 'failed'
    : 'skipped';
}
