/** `/whoami`: shows the sender's identity in the form allowlists use. */
import { standingOf, type Standing } from '../../core/authority.ts';
import type { Command } from './command.ts';
import { isOwner } from './run-command.ts';

/** What people are told they are. */
const STANDINGS: Readonly<Record<Standing, string>> = {
  owner: 'the owner',
  delegate: 'acting for the owner',
  operator: 'an operator with the scopes of this client',
  member: 'somebody who may use commands',
  visitor: 'somebody who may write, with basic commands only',
  program: 'a program',
  nobody: 'unknown to this gateway',
};

export const whoamiCommand: Command = {
  name: 'whoami',
  does: ['read', 'gateway'],
  aliases: ['id'],
  usage: '/whoami',
  summary: 'Show your sender id and this chat.',
  group: 'Information',
  takesText: false,
  inline: true,
  native: {},
  async run(call) {
    const { rights } = call.row.authority;
    const {
      address: { channel, accountId, chat, threadId },
      sender,
      place,
      spaceId,
    } = call.row.message;
    const lines = [
      `⚙️ You are ${sender.name ?? 'unnamed'}${sender.handle ? ` (${sender.handle})` : ''}`,
      `Channel: ${channel}${accountId === 'default' ? '' : ` (${accountId})`}`,
      `Sender id: ${sender.id}`,
      `Chat: ${chat.kind} ` +
        `${chat.id}${place?.chat ? ` (${place.chat})` : ''}${threadId === undefined ? '' : `, thread ${threadId}`}${spaceId === undefined ? '' : `, in ${spaceId}${place?.space ? ` (${place.space})` : ''}`}`,
      `Session: ${call.sessionKey}`,
      `For allowlists: "${channel}:${sender.id}"`,
      'You are ' +
        `${isOwner(call) ? 'the owner' : STANDINGS[standingOf(call.row.authority)]}.${rights.includes('approve') ? ' You may answer approvals.' : rights.includes('approve-own') ? ' You may answer approvals of your own chat.' : ''}`,
    ];
    return { reply: lines.join('\n') };
  },
};
