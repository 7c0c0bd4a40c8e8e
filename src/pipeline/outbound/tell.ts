/** Says something to a chat without a turn. */
import type { ChatAddress } from '../../core/message.ts';
import type { Journal } from '../../journal/journal.ts';
import type { OutboxSender } from '../delivery/outbox-sender.ts';
import { uuid } from '../../platform/ids.ts';

export interface TellDeps {
  readonly journal: Pick<Journal, 'outbox'>;
  readonly sender: Pick<OutboxSender, 'send'>;
}

/** With an id it is said once. Nobody waits for the channel, which may be away for hours. */
export const createTell =
  ({ journal, sender }: TellDeps) =>
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
