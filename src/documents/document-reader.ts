/** Reads documents in a worker thread, one at a time. */
import type { Log } from '../core/log.ts';
import type { DocumentOutcome, DocumentRequest } from './document.ts';

export interface DocumentReader {
  read(request: DocumentRequest, signal: AbortSignal): Promise<DocumentOutcome>;
  close(): Promise<void>;
}

export function createDocumentReader(_deps: { log: Log }): DocumentReader {
  return { read: () => Promise.reject(new Error('being written')), close: async () => {} };
}
