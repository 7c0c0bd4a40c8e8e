/** `/whoami`: who the gateway takes a person for, spelled as allowlists want it. */
import type { Command } from './command.ts';
import { isOwner } from './run-command.ts';

export const whoamiCommand: Command = {
  name: 'whoami', aliases: ['id'], usage: '/whoami', summary: 'Show your sender id and this chat.', group: 'Information', takesText: false, inline: true, native: {},
  async run(call) {
    const { address: { channel, accountId, chat, threadId }, sender, place } = call.row.message;
    const lines = [
      `⚙️ You are ${sender.name ?? 'unnamed'}${sender.handle ? ` (${sender.handle})` : ''}`,
      `Channel: ${channel}${accountId === 'default' ? '' : ` (${accountId})`}`,
      `Sender id: ${sender.id}`,
      `Chat: ${chat.kind} ${chat.id}${place?.chat ? ` (${place.chat})` : ''}${threadId === undefined ? '' : `, thread ${threadId}`}`,
      `Session: ${call.sessionKey}`,
      `For allowlists: "${channel}:${sender.id}"${isOwner(call) ? '. You may use the commands of the owner.' : ''}`,
    ];
    return { reply: lines.join('\n') };
  },
};
