/**
 * Reads the documents of a message: each attachment nobody else has understood becomes text, or a remark that says why
 * not.
 */
import type { MediaConfig } from '../../../config/understanding-config.ts';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Attachment } from '../../../core/message.ts';
import type { AttachmentDecision, Attempt, MediaDecision, Note } from '../../../core/understanding.ts';
import type { DocumentOutcome, DocumentReader } from '../../../documents/document-reader.ts';
import { UNKNOWN_CHARSET } from '../../../documents/document.ts';
import type { AttachmentFile } from '../attachments.ts';
import { quotedName } from '../../../core/inert-line.ts';
import type { UnderstandingContext } from '../context.ts';
import { inertText } from '../inert-text.ts';
import { sizeText } from '../../../core/size-text.ts';
import { canBeSeen, readPages, type PageVision, type Pages } from './read-pages.ts';
import { type Failure, leftOut, fileUnavailable, refused, remarkOn, tooLarge } from './remarks.ts';
import { head } from '../../../core/cut.ts';
import { present } from '../../../core/present.ts';

type FilesConfig = MediaConfig['files'];

export interface FilesDeps {
  readonly reader: DocumentReader;
  /** Puts pictures of pages into the media store. */
  keep(data: Uint8Array, facts: { readonly mime: string; readonly name: string }): Promise<Attachment>;
  readonly log: Log;
}

export interface Files {
  /** `claimed`: indexes of attachments that are understood, or remarked on, already. Rejects only with `aborted`. */
  run(
    context: UnderstandingContext,
    claimed: ReadonlySet<number>,
    config: FilesConfig,
    vision: PageVision,
  ): Promise<{ notes: Note[]; decision: MediaDecision }>;
}

/** One document with its notes and what is recorded of it. */
interface Result {
  readonly notes: readonly Note[];
  readonly decision: AttachmentDecision;
  readonly chars: number;
}

export function createFiles(deps: FilesDeps): Files {
  return {
    async run(context, claimed, config, vision) {
      const files = context.files.filter(({ index, kind }) => kind === 'document' && !claimed.has(index));
      if (files.length === 0)
        return { notes: [], decision: { capability: 'file', outcome: 'no-attachment', attachments: [] } };
      if (!config.enabled)
        return {
          notes: files.map((file) => leftOut(file, { limit: 'disabled', why: 'document reading is disabled' }).note),
          decision: {
            capability: 'file',
            outcome: 'disabled',
            attachments: files.map(({ index, name }) => ({
              attachmentIndex: index,
              name,
              attempts: [],
              reason: 'disabled',
            })),
          },
        };
      const results: Result[] = [];
      let room = config.maxTotalChars;
      for (const [place, file] of files.entries()) {
        const result =
          place >= config.maxFiles
            ? skipped(
                file,
                leftOut(file, {
                  limit: 'attachment limit',
                  why: `at most ${config.maxFiles} documents of a message are read`,
                }),
              )
            : room <= 0
              ? skipped(file, leftOut(file, { limit: 'maxTotalChars', why: 'earlier documents used up the limit' }))
              : await understandFile(file, {
                  ...deps,
                  context,
                  config: { ...config, maxChars: Math.min(config.maxChars, room) },
                  vision,
                });
        room -= result.chars;
        results.push(result);
      }
      return {
        notes: results.flatMap(({ notes }) => notes),
        decision: {
          capability: 'file',
          outcome: outcomeOf(results),
          attachments: results.map(({ decision }) => decision),
        },
      };
    },
  };
}

interface Reading extends FilesDeps {
  readonly context: UnderstandingContext;
  readonly config: FilesConfig;
  readonly vision: PageVision;
}

async function understandFile(file: AttachmentFile, reading: Reading): Promise<Result> {
  const { context, config, log } = reading;
  const began = performance.now();
  if (file.trouble !== undefined) return failed(file, fileUnavailable(file, file.trouble), 0);
  context.progress(`Reading ${quotedName(file)}`);
  try {
    const outcome = await readFile(file, reading);
    const ms = Math.round(performance.now() - began);
    if (context.signal.aborted) throw new AppError('aborted', `Reading ${quotedName(file)} was stopped.`);
    return outcome.ok ? await succeeded(file, outcome, { ...reading, ms }) : failed(file, refused(file, outcome), ms);
  } catch (error) {
    // A file that is gone, blocked or too large is said to the person; the rest of the message goes on.
    if (!(error instanceof AppError) || context.signal.aborted) throw error;
    log.warn('files.failed', { index: file.index, code: error.code, error });
    const failure =
      error.code === 'too_large' ? tooLarge(file, sizeText(config.maxBytes)) : fileUnavailable(file, error.message);
    return failed(file, failure, Math.round(performance.now() - began));
  }
}

async function readFile(file: AttachmentFile, { reader, context, config, vision }: Reading): Promise<DocumentOutcome> {
  const bytes = await file.bytes(config.maxBytes);
  const { maxChars, pdf, timeoutSeconds } = config;
  return reader.read(
    {
      bytes,
      name: file.name,
      mime: file.mime,
      maxChars,
      pdf,
      timeoutMs: timeoutSeconds * 1000,
      pageImages: (found) => canBeSeen(vision, found),
    },
    context.signal,
  );
}

async function succeeded(
  file: AttachmentFile,
  outcome: DocumentOutcome & { ok: true },
  { keep, config, vision, ms }: Reading & { ms: number },
): Promise<Result> {
  const pages = await readPages({
    file,
    images: outcome.pageImages,
    ofAll: outcome.pages,
    vision,
    maxChars: config.maxChars,
    keep,
  });
  const own = outcome.text.trim();
  // What stands on the pages repeats the little text there is.
  const written = pages.text.length > own.length ? pages.text : own;
  const cut = outcome.truncated && written === own && own ? `\n${howMuch(outcome)}` : '';
  const unread =
    outcome.charset === UNKNOWN_CHARSET
      ? `[its character set could not be told: letters beyond ASCII are shown as \uFFFD]\n`
      : '';
  const text = written
    ? `${unread}${headOf(outcome)}${written}${cut}`
    : pages.shown.length > 0
      ? '[PDF content rendered to images]'
      : '[No extractable text]';
  const note: Note = present({
    kind: 'file',
    attachment: file.index,
    name: file.name,
    mime: outcome.mime,
    text: inertText(text, config.maxChars + MAX_FACTS),
    pages: pages.shown.length > 0 ? pages.shown : undefined,
  });
  const blind = outcome.kind === 'pdf' && !written && pages.shown.length === 0;
  const ofPages = written === own ? undefined : pages.chosen;
  const attempt: Attempt = {
    type: 'provider',
    provider: 'documents',
    model: outcome.kind,
    ...(ofPages ? { outcome: 'skipped', reason: 'empty output: its pages are pictures' } : { outcome: 'success' }),
    ms,
  };
  return {
    notes: [note, ...(blind ? [pagesUnseen(file, await whyUnseen(pages, vision))] : [])],
    chars: note.text.length,
    decision: {
      attachmentIndex: file.index,
      name: file.name,
      attempts: [attempt, ...pages.attempts],
      chosen: ofPages ?? attempt,
      ms,
      ...present({
        reason: outcome.truncated && written === own ? `maxChars: ${text.length} characters are shown` : undefined,
      }),
    },
  };
}

/** Pages where the document has them: of the twentieth of a thousand nobody can tell by characters. */
function howMuch({ pages, pagesRead, text }: DocumentOutcome & { ok: true }): string {
  if (pages === undefined || pagesRead === undefined || pagesRead >= pages)
    return `[cut: the document is longer, ${text.trim().length} characters are shown]`;
  return `[cut: ${pagesRead} of ${pages} pages are shown, ${text.trim().length} characters]`;
}

/** What a document says about itself stands before its text, unless the text begins with it. */
function headOf({ kind, title, author, date, text }: DocumentOutcome & { ok: true }): string {
  if (kind === 'mail') return '';
  const facts = [
    title && !text.trimStart().replace(/^#+ /, '').startsWith(title) ? `Title: ${title}` : '',
    author ? `Author: ${author}` : '',
    date ? `Date: ${date}` : '',
  ].filter(Boolean);
  return facts.length > 0
    ? `${facts.map((fact) => head(fact, MAX_FACTS / 4).replaceAll(/\s+/g, ' ')).join('\n')}\n\n`
    : '';
}

/** Characters; a title may be as long as its author likes. */
const MAX_FACTS = 1000;

const pagesUnseen = (file: AttachmentFile, why: string): Note =>
  remarkOn(
    file,
    `[Attachment could not be read] ${quotedName(file)}: its pages hold no text, only pictures.`,
    `The pages of ${quotedName(file)} hold no text, only pictures. ${why}`,
  );

async function whyUnseen({ attempts }: Pages, vision: PageVision): Promise<string> {
  if (attempts.length > 0) return 'Nothing could be read on them.';
  return (await canBeSeen(vision, { text: '' }))
    ? 'To let me look at them, install poppler-utils on the gateway.'
    : 'A chat model that sees images could look at them, or tesseract on the gateway.';
}

function failed(file: AttachmentFile, { reason, note }: Failure, ms: number): Result {
  const attempt = { type: 'provider', provider: 'documents', outcome: 'failed', reason, ms } as const;
  return {
    notes: [note],
    chars: 0,
    decision: { attachmentIndex: file.index, name: file.name, attempts: [attempt], ms },
  };
}

const skipped = (file: AttachmentFile, { reason, note }: Failure): Result => ({
  notes: [note],
  chars: 0,
  decision: { attachmentIndex: file.index, name: file.name, attempts: [], reason },
});

function outcomeOf(results: readonly Result[]): MediaDecision['outcome'] {
  const outcomes = results.map(({ decision }) => (decision.chosen ?? decision.attempts[0])?.outcome);
  if (outcomes.includes('success')) return 'success';
  return outcomes.includes('failed') ? 'failed' : 'skipped';
}
