/** Sends a notice to a chat without a turn. */
import { partToken } from '../../agent/turn/plan-replies.ts';
import type { OfferChoices } from '../../core/choice.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { withChoices, type ReplyPayload } from '../../core/reply.ts';
import type { HostChannels } from '../../host/host.ts';
import type { Journal } from '../../journal/journal.ts';
import type { OutboxSender } from '../delivery/outbox-sender.ts';
import { uuid } from '../../platform/ids.ts';

export interface NotifyDeps {
  readonly journal: Pick<Journal, 'outbox'>;
  readonly sender: Pick<OutboxSender, 'send'>;
}

/** Words of ours for the chat of a run, in as many messages as its channel takes; once per token. */
export const createNotify =
  ({
    journal,
    sender,
    plan,
    offer,
  }: NotifyDeps & {
    plan(address: ChatAddress, payload: ReplyPayload): readonly ReplyPayload[];
    offer: OfferChoices;
  }): HostChannels['notify'] =>
  async (address, { token, runId, sessionKey, text, choices: offered }) => {
    const shown = await offer(address, sessionKey, offered);
    const rows = plan(address, withChoices({ kind: 'notice', text }, shown)).map((payload, part, parts) => ({
      token: partToken(token, part),
      runId,
      sessionKey,
      address,
      payload: part === parts.length - 1 ? { ...payload, ...present({ choices: shown?.buttons }) } : payload,
    }));
    for (const id of await journal.outbox.post(rows, [])) await sender.send(id);
  };

/** With an id it is said once. Nobody waits for the channel, which may be away for hours. */
export const createPostNotice =
  ({ journal, sender }: NotifyDeps) =>
  async (
    address: ChatAddress,
    { sessionKey, text, id = uuid() }: { readonly sessionKey: string; readonly text: string; readonly id?: string },
  ): Promise<void> => {
    const ids = await journal.outbox.post(
      [{ token: `${id}:notice`, runId: id, sessionKey, address, payload: { kind: 'notice', text } }],
      [],
    );
    for (const sent of ids) void sender.send(sent);
  };
