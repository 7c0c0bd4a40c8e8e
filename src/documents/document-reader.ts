/** Reads documents in a worker thread, one at a time, so that a hostile file cannot block or exhaust the gateway. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import { besideModule, createWorkerThread, type WorkerAnswer } from '../platform/worker.ts';
import type {
  DocumentOutcome,
  DocumentRefusal,
  DocumentRequest,
  PageImage,
  ReadAnswer,
  ReadQuestion,
} from './document.ts';
import { renderPages } from './pdf/render-pages.ts';

export type { DocumentOutcome, DocumentRequest } from './document.ts';

export interface DocumentReader {
  /** Never rejects: whatever goes wrong is an outcome. An abort is `timeout`. */
  read(request: DocumentRequest, signal: AbortSignal): Promise<DocumentOutcome>;
  close(): Promise<void>;
}

export interface DocumentReaderDeps {
  readonly log: Log;
  /** The environment, for finding `pdftoppm`; without it no pictures of pages are made. */
  vars?(): Readonly<Record<string, string>>;
  /** Limits of the thread; those of a gateway unless a test says otherwise. */
  readonly limits?: { readonly heapMb: number; readonly growthMb: number; readonly idleMs: number };
}

const LIMITS = { heapMb: 256, growthMb: 512, idleMs: 10_000 };

export function createDocumentReader({ log, vars, limits = LIMITS }: DocumentReaderDeps): DocumentReader {
  const thread = createWorkerThread<ReadQuestion>({ entry: besideModule('document-worker', import.meta), ...limits });
  return {
    async read(request, signal) {
      const began = performance.now();
      const bytes = await copyOf(request.bytes);
      const { pageImages: _inThisThread, ...question } = request;
      const answered = await thread.ask<ReadAnswer>(
        { ...question, bytes },
        { timeoutMs: request.timeoutMs, signal, transfer: [bytes.buffer] },
      );
      if (answered.kind !== 'answered') {
        log.warn('documents.failed', {
          name: request.name,
          kind: answered.kind,
          ...present({ why: answered.kind === 'crashed' ? answered.why : undefined }),
        });
        return refusalOf(answered, request);
      }
      const { outcome, pageSizes } = answered.answer;
      if (
        !outcome.ok ||
        outcome.kind !== 'pdf' ||
        outcome.text.trim().length >= request.pdf.minTextChars ||
        !(await request.pageImages?.(outcome))
      )
        return outcome;
      const timeoutMs = Math.max(1, request.timeoutMs - (performance.now() - began));
      const pageImages: readonly PageImage[] = vars
        ? await renderPages(request.bytes, {
            pageSizes,
            maxPixels: request.pdf.maxPixels,
            timeoutMs,
            vars: vars(),
            signal,
            log,
          })
        : [];
      return { ...outcome, pageImages };
    },
    async close() {
      await thread[Symbol.asyncDispose]();
    },
  };
}

const PIECE = 1024 * 1024;

/** A copy the thread may keep, made piece by piece: twenty megabytes at once would hold everybody else up. */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (at > 0) await nextTick();
    copy.set(bytes.subarray(at, at + PIECE), at);
  }
  return copy;
}

function refusalOf(
  answered: Exclude<WorkerAnswer<never>, { kind: 'answered' }>,
  { mime = 'application/octet-stream', timeoutMs }: DocumentRequest,
): DocumentRefusal {
  const refused = (reason: DocumentRefusal['reason'], message: string): DocumentRefusal => ({
    ok: false,
    reason,
    mime,
    message,
  });
  if (answered.kind === 'memory') return refused('memory', 'Reading it exceeded the memory limit.');
  if (answered.kind === 'crashed') return refused('corrupt', 'It is damaged and cannot be read.');
  return answered.kind === 'timeout'
    ? refused('timeout', `Reading it took longer than ${Math.round(timeoutMs / 1000)} s.`)
    : refused('timeout', 'Reading it was cancelled.');
}
