/** Whether a message from a channel may reach an agent at all; what nobody allowed is refused. Pure. */
import type { ChannelCapabilities } from '../../core/channel.ts';
import { WELCOME, type Admission } from '../../core/admission.ts';
import type { InboundMessage } from '../../core/message.ts';

export interface AccessRules {
  /** `channels.<id>.allowFrom`: stable sender ids, or `*` for everybody. */
  readonly allowFrom: readonly string[];
  /** The words name the agent. */
  readonly mentioned: boolean;
}

export function admit(message: InboundMessage, capabilities: ChannelCapabilities, rules: AccessRules): Admission {
  if (capabilities.operator) return WELCOME; // whoever got here proved to be the gateway's operator
  const { channel } = message.address;
  const listed = rules.allowFrom.map((entry) => entry.trim().toLowerCase()).map((entry) => (entry.startsWith(`${channel}:`) ? entry.slice(channel.length + 1) : entry));
  if (!listed.includes('*') && !listed.includes(message.sender.id.toLowerCase())) return { kind: 'refused', reason: `sender ${message.sender.id} is not in channels.${channel}.allowFrom`, steps: [] };
  if (message.address.chat.kind !== 'direct' && !message.addressesBot && !rules.mentioned) return { kind: 'refused', reason: 'the message does not address the agent', unaddressed: true, steps: [] };
  return WELCOME;
}
