/** Sends notices to a chat, recorded together with the end states of the messages they answer. */
import { partToken } from '../agent/turn/plan-replies.ts';
import type { Offered, OfferChoices } from '../core/choice.ts';
import type { ChatAddress } from '../core/message.ts';
import { present } from '../core/present.ts';
import { withChoices, type ReplyPayload } from '../core/reply.ts';
import { noUsage } from '../core/transcript.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow, NewOutboxRow } from '../journal/rows.ts';
import type { OutboxSender } from './delivery/outbox-sender.ts';
import type { RunHub } from './run-hub.ts';

export interface NoticesDeps {
  readonly journal: Journal;
  readonly hub: RunHub;
  readonly sender: OutboxSender;
  readonly notices?: NoticeRules | undefined;
}

export interface NoticeRules {
  /** What a notice becomes on its channel. Absent: one message. */
  plan?(address: ChatAddress, payload: ReplyPayload, messageId: string): readonly ReplyPayload[];
  /** Choices as their chat can show them. Absent: none are shown. */
  readonly offer?: OfferChoices;
}

/** A reply of ours and what it offers. */
export interface CommandReply {
  readonly text: string;
  readonly choices?: Offered;
}

export interface Ending {
  readonly state: 'answered' | 'declined' | 'failed';
  readonly reason: string;
}

export interface Notices {
  /** One reply for all of them, to the newest, and their ends, in one commit; then it is sent. They are of one chat. */
  notify(rows: readonly InboundRow[], reply: CommandReply, ending: Ending): Promise<void>;
  /** A word beside the message, which goes its own way. `name` tells it from others of the same message. */
  beside(row: InboundRow, name: string, text: string): Promise<void>;
}

export function createNotices({ journal, hub, sender, notices }: NoticesDeps): Notices {
  /** Words of ours, as the messages the channel can take. */
  async function noticeRows(
    { route, runId, message }: InboundRow,
    place: string,
    { text, choices }: CommandReply,
  ): Promise<readonly NewOutboxRow[]> {
    const { replyTo: address, sessionKey } = route;
    const shown = await notices?.offer?.(
      address,
      sessionKey,
      choices && { ...choices, requestedBy: message.sender.id },
    );
    const payload = withChoices({ kind: 'notice', text }, shown);
    const parts = notices?.plan?.(address, payload, message.id) ?? [payload];
    return parts.map((part, index) => ({
      token: partToken(`${runId}:${place}`, index),
      runId,
      sessionKey,
      address,
      payload: index === parts.length - 1 ? { ...part, ...present({ choices: shown?.buttons }) } : part,
    }));
  }

  return {
    async beside(row, name, text) {
      const ids = await journal.outbox.post(await noticeRows(row, name, { text }), []);
      hub.emit(row.runId, { type: 'notice', text });
      for (const id of ids) await sender.send(id);
    },
    async notify(rows, reply, ending) {
      const last = rows.at(-1)!;
      const ids = await journal.outbox.post(
        await noticeRows(last, 'notice', reply),
        rows.map((row) => ({ seq: row.seq, ...ending })),
      );
      for (const id of ids) await sender.send(id);
      for (const { runId } of rows)
        hub.emit(runId, {
          type: 'ended',
          outcome: present({
            kind: 'done',
            text: reply.text,
            usage: noUsage,
            mergedInto: runId !== last.runId ? last.runId : undefined,
          }),
        });
    },
  };
}
