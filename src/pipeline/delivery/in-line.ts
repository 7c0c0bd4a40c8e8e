/** Rows of one chat, one after the other: when one finds nobody there, those that came after it do not overtake it. */
import type { SendOutcome, TakenRow } from './outbox-rows.ts';
import { lineOf, type SendLines } from './send-lines.ts';
import type { SendUntilTaken } from './send-until-taken.ts';

export interface InLineDeps {
  readonly lines: Pick<SendLines, 'queue' | 'connection' | 'stopping'>;
  readonly deliver: SendUntilTaken;
}

export interface Place {
  readonly withdrawn: AbortSignal;
  /** Until then the row stands in its line, unsent. */
  readonly onDisk?: Promise<void>;
  /** Stands all rows without an end in their lines again, the oldest first. */
  resume(): void;
}

export interface InLine {
  /** Sends a row when those before it in its line are sent, or have gone. */
  send(taken: TakenRow, place: Place): Promise<SendOutcome | undefined>;
  /** These have no end state yet; those who wait for another one stop waiting. */
  stillOpen(ids: ReadonlySet<number>): void;
}

export function createInLine({ lines, deliver }: InLineDeps): InLine {
  /** By line: the oldest row that found nobody there and has not come again. */
  const left = new Map<string, number>();

  return {
    send({ row, begun }, { withdrawn, onDisk, resume }) {
      const line = lineOf(row.address);
      return lines.queue.run(line, async () => {
        await onDisk;
        const oldest = left.get(line) ?? Infinity;
        const stays = oldest < row.id;
        if (!stays) left.delete(line);
        const outcome = await deliver(row, { begun, withdrawn, stays });
        if (outcome !== undefined) return outcome;
        if (!stays) left.set(line, row.id);
        else if (!lines.stopping.signal.aborted && lines.connection(row.address)) resume();
        return undefined;
      });
    },
    stillOpen(ids) {
      for (const [line, id] of left) if (!ids.has(id)) left.delete(line);
    },
  };
}
