/** The text of the documents of one message, within the limits of a file and of all together; whatever gives none is named. */
import { AppError, asAppError } from '../../../core/errors.ts';
import type { Attachment } from '../../../core/message.ts';
import { neutralise } from '../../../core/neutralise.ts';
import type { AttachmentDecision, Attempt, MediaDecision, Note } from '../../../core/understanding.ts';
import type { MediaConfig } from '../../../config/understanding-config.ts';
import type { DocumentText } from '../../../documents/document.ts';
import type { DocumentReader } from '../../../documents/document-reader.ts';
import type { AttachmentFile } from '../attachments.ts';
import type { Scene } from '../scene.ts';
import { sizeText } from '../size-text.ts';
import { remarkOnFile, type FileTrouble } from './remarks.ts';

export type FilesConfig = MediaConfig['files'];

export interface FilesDeps {
  readonly reader: DocumentReader;
  /** Puts the picture of a page into the media store. */
  keep(data: Uint8Array, facts: { readonly mime: string; readonly name: string }): Promise<Attachment>;
  /** Milliseconds that never go back. */
  monotonic(): number;
}

export interface FilesOutcome {
  readonly notes: readonly Note[];
  readonly decision: MediaDecision;
}

export interface Files {
  /** `claimed`: attachments media has spoken for. `seesImages`: pages without text may be shown as pictures. Rejects with `aborted` only. */
  run(scene: Scene, claimed: ReadonlySet<number>, config: FilesConfig, seesImages: boolean): Promise<FilesOutcome>;
}

interface ReadFile { readonly note: Note; readonly attempts: readonly Attempt[]; readonly reason?: string }

export function createFiles(deps: FilesDeps): Files {
  return {
    async run(scene, claimed, config, seesImages) {
      const files = scene.files.filter(({ index, kind }) => kind === 'document' && !claimed.has(index));
      if (files.length === 0) return { notes: [], decision: { capability: 'file', outcome: 'no-attachment', attachments: [] } };
      const notes: Note[] = [];
      const attachments: AttachmentDecision[] = [];
      let room = config.maxTotalChars;
      for (const [nth, file] of files.entries()) {
        const began = deps.monotonic();
        const { note, attempts, reason } = await readOne(file, { nth, room, scene, config, seesImages }, deps);
        if (note.kind === 'file') room -= note.text.length;
        notes.push(note);
        const chosen = attempts.find(({ outcome }) => outcome === 'success');
        attachments.push({ attachmentIndex: file.index, name: file.name, attempts, ...(chosen ? { chosen } : {}), ...(reason ? { reason } : {}), ms: Math.round(deps.monotonic() - began) });
      }
      return { notes, decision: { capability: 'file', outcome: outcomeOf(attachments, config), attachments } };
    },
  };
}

interface Asked { readonly nth: number; readonly room: number; readonly scene: Scene; readonly config: FilesConfig; readonly seesImages: boolean }

/** What stands in the way before anything is read comes first; then the document's own answer. */
async function readOne(file: AttachmentFile, asked: Asked, deps: FilesDeps): Promise<ReadFile> {
  const { scene, config } = asked;
  const early = troubleBefore(file, asked);
  if (early) return refused(file, early, []);
  scene.progress(`Reading ${file.name}`);
  try {
    const bytes = await file.bytes(config.maxBytes);
    const outcome = await deps.reader.read({
      bytes, name: file.name, mime: file.mime, maxChars: Math.min(config.maxChars, asked.room), timeoutMs: config.timeoutSeconds * 1000, pdf: config.pdf, pageImages: asked.seesImages,
    }, scene.signal);
    if (outcome.ok) return { note: await noteOf(file, outcome, deps), attempts: [{ ...READER, model: outcome.kind, outcome: 'success' }] };
    return refused(file, { kind: outcome.reason === 'unsupported' || outcome.reason === 'media' ? 'unsupported' : 'unreadable', mime: outcome.mime, because: outcome.message }, [{ ...READER, outcome: 'failed', reason: `${outcome.reason}: ${outcome.message}` }]);
  } catch (error) {
    if (scene.signal.aborted) throw new AppError('aborted', 'The turn was stopped while its files were read.', { cause: error });
    const { code, message } = asAppError(error);
    return refused(file, code === 'too_large' ? tooLarge(config) : { kind: 'unreadable', mime: file.mime, because: message }, [{ ...READER, outcome: code === 'too_large' ? 'skipped' : 'failed', reason: code === 'too_large' ? 'maxBytes' : message }]);
  }
}

const READER = { type: 'provider', provider: 'documents' } as const;

function troubleBefore(file: AttachmentFile, { nth, room, config }: Asked): FileTrouble | undefined {
  if (!config.enabled) return { kind: 'disabled' };
  if (nth >= config.maxFiles) return { kind: 'limit', because: `only ${config.maxFiles} files of a message are read` };
  if (room <= 0) return { kind: 'limit', because: 'the other files of the message are too long already' };
  if (file.trouble !== undefined) return { kind: 'unreadable', mime: file.mime, because: file.trouble };
  return file.size !== undefined && file.size > config.maxBytes ? tooLarge(config) : undefined;
}

const tooLarge = ({ maxBytes }: FilesConfig): FileTrouble => ({ kind: 'limit', because: `it is larger than ${sizeText(maxBytes)}` });

const refused = (file: AttachmentFile, trouble: FileTrouble, attempts: readonly Attempt[]): ReadFile =>
  ({ note: remarkOnFile(file, trouble), attempts, ...(attempts.length === 0 ? { reason: trouble.kind === 'disabled' ? 'disabled' : trouble.because } : {}) });

async function noteOf(file: AttachmentFile, { text, mime, truncated, pageImages }: DocumentText, { keep }: FilesDeps): Promise<Note> {
  const pages = await Promise.all(pageImages.map((page, index) => keep(page.data, { mime: page.mime, name: `${file.name} page ${index + 1}` })));
  const said = text.trim() === '' ? (pages.length > 0 ? '[PDF content rendered to images]' : '[No extractable text]') : `${neutralise(text)}${truncated ? '\n[cut: there is more in the file]' : ''}`;
  return { kind: 'file', attachment: file.index, name: file.name, mime, text: said, ...(pages.length > 0 ? { pages } : {}) };
}

function outcomeOf(attachments: readonly AttachmentDecision[], { enabled }: FilesConfig): MediaDecision['outcome'] {
  if (!enabled) return 'disabled';
  if (attachments.some(({ chosen }) => chosen)) return 'success';
  return attachments.some(({ attempts }) => attempts.some(({ outcome }) => outcome === 'failed')) ? 'failed' : 'skipped';
}
