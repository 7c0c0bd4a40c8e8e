/** What is known of the links and files of the messages a turn answers: kept from before, or made now and kept. */
import type { Log } from '../core/log.ts';
import type { Note, Understanding } from '../core/understanding.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow, NewOutboxRow } from '../journal/rows.ts';
import type { Understood } from './compose.ts';

/** The understanding step as the path of a message sees it. */
export interface Understander {
  /** Cheap: whether the message has a file, or a link somebody wants read. */
  needed(row: InboundRow): boolean;
  /** What is recorded of a message that needs nothing although it has a link: that links are not read. */
  declined(row: InboundRow): Understanding | undefined;
  /** Rejects with `aborted`, or with a fault. */
  run(row: InboundRow, io: { readonly signal: AbortSignal; progress(text: string): void }): Promise<Understanding>;
  /** What the person gets immediately, e.g. the transcript of a voice note. */
  echo(row: InboundRow, understanding: Understanding): readonly NewOutboxRow[];
}

export interface UnderstoodDeps {
  readonly journal: Journal;
  readonly understander: Understander;
  readonly log: Log;
  now(): number;
  progress(runId: string, text: string): void;
  send(outboxId: number): void;
  checkpoint(point: 'understand.before' | 'understand.after', runId: string): void;
}

/** After a fault of ours: the reply goes on, and nothing that was sent is passed over in silence. */
async function notUnderstood({ message: { attachments } }: InboundRow): Promise<Understanding> {
  const { quotedName } = await import('../core/inert-line.ts');
  const notes = attachments.map(({ name }, attachment): Note => {
    const called = name === undefined ? `file ${attachment + 1}` : quotedName({ name });
    return {
      kind: 'remark',
      attachment,
      text: `[Attachment could not be read] ${called}: internal error of the gateway.`,
      tell: `I could not read ${called} because of an internal error. See the log of the gateway.`,
    };
  });
  return { media: [], attachments, notes };
}

export function createUnderstood({ journal, understander, now, log, ...deps }: UnderstoodDeps) {
  async function understand(row: InboundRow, signal: AbortSignal): Promise<Understanding | undefined> {
    // A turn that began in an earlier run goes on with the notes it had then.
    const needed = understander.needed(row);
    const known = needed || row.turnId !== undefined ? await journal.understanding.find(row.runId) : undefined;
    if (known) return known;
    if (!needed) return decline(row);
    const startedAt = now();
    deps.checkpoint('understand.before', row.runId);
    const made = await understander
      .run(row, { signal, progress: (text) => deps.progress(row.runId, text) })
      .catch((error: unknown): Promise<Understanding> => {
        if (signal.aborted) throw error;
        log.error('understanding.failed', { runId: row.runId, error });
        return notUnderstood(row);
      });
    const sends = await journal.understanding.save(row.runId, made, startedAt, understander.echo(row, made));
    deps.checkpoint('understand.after', row.runId);
    sends.forEach(deps.send);
    log.debug('understanding.done', {
      runId: row.runId,
      ms: now() - startedAt,
      notes: made.notes.map(({ kind }) => kind),
    });
    return made;
  }

  /** For the record only: nothing is added to the message. */
  async function decline(row: InboundRow): Promise<undefined> {
    const declined = understander.declined(row);
    if (declined) await journal.understanding.save(row.runId, declined, now(), []);
  }

  /** Rejects with `aborted`, or when the journal refuses (P10). */
  return async (rows: readonly InboundRow[], signal: AbortSignal): Promise<Understood> => {
    const understood = await Promise.all(rows.map(async (row) => [row.runId, await understand(row, signal)] as const));
    return new Map(understood.flatMap(([runId, one]) => (one ? [[runId, one]] : [])));
  };
}
