/** Approves or rejects a pairing request, with a second confirmation if it grants much. */
import { html } from 'lit';
import type { App } from '../app.ts';
import { confirmed } from '../elements/dialogs.ts';
import { toast } from '../elements/toast.ts';
import { messageOf } from '../gateway/requests.ts';
import type { Pairing } from '../gateway/wire.ts';
import type { PairingDecision } from './pairing-requests.ts';

const OWNER = html`An owner can do everything you can do here: change settings and prompt files, answer approvals,
  read every conversation and write to every chat. Approve only yourself and people you trust with this machine.`;

/** False: the person cancelled. */
export async function decidePairing(
  app: App,
  { channel, code, name, id }: Pairing,
  decision: PairingDecision,
): Promise<boolean> {
  const who = name ?? id;
  const asOwner = decision === 'approve as owner';
  if (
    asOwner &&
    !(await confirmed({ title: `Make ${who} the owner?`, body: OWNER, action: 'Make owner', danger: true }))
  )
    return false;
  try {
    await app.request(`channel.pairing.${decision === 'reject' ? 'reject' : 'approve'}`, {
      channel,
      code,
      ...(asOwner ? { owner: true } : {}),
    });
    toast(decision === 'reject' ? 'Rejected' : asOwner ? `${who} is now an owner` : `${who} can now send messages`);
  } catch (cause) {
    toast(messageOf(cause), 'bad');
  }
  return true;
}
