/** Sends notices to a chat, recorded together with the end states of the messages they answer. */
import { partToken } from '../agent/turn/plan-replies.ts';
import type { ChatAddress } from '../core/message.ts';
import { present } from '../core/present.ts';
import type { ReplyPayload } from '../core/reply.ts';
import { noUsage } from '../core/transcript.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow, NewOutboxRow } from '../journal/rows.ts';
import type { OutboxSender } from './delivery/outbox-sender.ts';
import type { RunHub } from './run-hub.ts';

export interface NoticesDeps {
  readonly journal: Journal;
  readonly hub: RunHub;
  readonly sender: OutboxSender;
  /** What a notice becomes on its channel. Absent: one message. */
  readonly planNotice?:
    | ((address: ChatAddress, payload: ReplyPayload, messageId: string) => readonly ReplyPayload[])
    | undefined;
}

export interface Ending {
  readonly state: 'answered' | 'declined' | 'failed';
  readonly reason: string;
}

export interface Notices {
  /** One reply for all of them, to the newest, and their ends, in one commit; then it is sent. They are of one chat. */
  notify(rows: readonly InboundRow[], text: string, ending: Ending): Promise<void>;
  /** A word beside the message, which goes its own way. `name` tells it from others of the same message. */
  beside(row: InboundRow, name: string, text: string): Promise<void>;
}

export function createNotices({ journal, hub, sender, planNotice }: NoticesDeps): Notices {
  /** Words of ours, as the messages the channel can take. */
  function noticeRows(row: InboundRow, place: string, text: string): readonly NewOutboxRow[] {
    const payload: ReplyPayload = { kind: 'notice', text };
    const parts = planNotice?.(row.route.replyTo, payload, row.message.id) ?? [payload];
    return parts.map((part, index) => ({
      token: partToken(`${row.runId}:${place}`, index),
      runId: row.runId,
      sessionKey: row.route.sessionKey,
      address: row.route.replyTo,
      payload: part,
    }));
  }

  return {
    async beside(row, name, text) {
      const ids = await journal.outbox.post(noticeRows(row, name, text), []);
      hub.emit(row.runId, { type: 'notice', text });
      for (const id of ids) await sender.send(id);
    },
    async notify(rows, text, ending) {
      const last = rows.at(-1)!;
      const ids = await journal.outbox.post(
        noticeRows(last, 'notice', text),
        rows.map((row) => ({ seq: row.seq, ...ending })),
      );
      for (const id of ids) await sender.send(id);
      for (const { runId } of rows)
        hub.emit(runId, {
          type: 'ended',
          outcome: present({
            kind: 'done',
            text,
            usage: noUsage,
            mergedInto: runId !== last.runId ? last.runId : undefined,
          }),
        });
    },
  };
}
