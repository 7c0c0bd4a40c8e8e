/** `/allowlist`: who may write to the bot, by stable id, changed in the configuration. */
import type { Command, CommandCall } from './command.ts';
import type { CommandHost } from './command-host.ts';
import { refusedHere } from './config-command.ts';

const USAGE = '⚙️ Usage: /allowlist [list], /allowlist add [group] <id>, /allowlist remove [group] <id>';

export const allowlistCommand: Command = {
  name: 'allowlist', usage: '/allowlist [list|add|remove] [group] [id]', summary: 'Who may write here, by sender id.', group: 'Control', owner: true,
  takesText: false, takes: /^(?:list|(?:add|remove|rm)(?:\s+(?:dm|group))?\s+\S+)$/i,
  native: { args: [{ name: 'action', description: 'What to do', choices: ['list', 'add', 'remove'] }, { name: 'id', description: 'Sender id; group before it for groups' }] },
  async run(call, host) {
    const [verb = 'list', ...more] = call.args.toLowerCase().split(/\s+/).filter(Boolean);
    const written = call.args.split(/\s+/).at(-1) ?? '';
    if (verb === 'list') return { reply: listed(call, host) };
    if (more.length === 0) return { reply: USAGE };
    const key = more[0] === 'group' && more.length > 1 ? 'groupAllowFrom' as const : 'allowFrom' as const;
    return { reply: refusedHere(call, host) ?? (await change({ call, host, key, written, adds: verb === 'add' })) };
  },
};

function listed(call: CommandCall, host: CommandHost): string {
  const { allowFrom, groupAllowFrom, dmPolicy, groupPolicy } = host.settings().channel(call);
  const names = (ids: readonly string[] | undefined): string => (ids === undefined ? 'as direct chats' : ids.length === 0 ? 'nobody' : ids.join(', '));
  return [`⚙️ ${call.row.message.address.channel}`, `Direct chats (${dmPolicy}): ${names(allowFrom)}`, `Groups (${groupPolicy}): ${names(groupAllowFrom)}`, 'People let in by a pairing code are not in this list; `clawdbot pairing list` names them.'].join('\n');
}

interface Change { readonly call: CommandCall; readonly host: CommandHost; readonly key: 'allowFrom' | 'groupAllowFrom'; readonly written: string; readonly adds: boolean }

async function change({ call, host, key, written, adds }: Change): Promise<string> {
  const { channel, accountId } = call.row.message.address;
  const bare = written.toLowerCase().startsWith(`${channel}:`) ? written.slice(channel.length + 1) : written;
  if (adds && bare === '*') return '⚠️ Opening a channel to everybody is not done from a chat. Write "*" into the configuration if you mean it.';
  const id = host.senderEntry(channel, bare);
  if (adds && id === undefined) return `⚠️ "${written}" is no sender id. Names and handles can change hands; /whoami tells a person's id.`;
  const settings = host.settings();
  const now = settings.channel(call)[key] ?? [];
  const same = (entry: string): boolean => [bare, id].some((one) => one !== undefined && [one, `${channel}:${one}`].some((spelled) => spelled.toLowerCase() === entry.trim().toLowerCase()));
  if (adds && now.some(same)) return `⚙️ ${id} is in the list already.`;
  if (!adds && !now.some(same)) return `⚙️ ${written} is not in the list.`;
  const path = `${settings.channelPath(channel, accountId)}.${key}`;
  const { restarts } = await host.config.set(path, adds ? [...now, id!] : now.filter((entry) => !same(entry)));
  return `⚙️ ${adds ? `${id} may write` : `${written} may no longer write`} ${key === 'allowFrom' ? 'in direct chats' : 'in groups'} (${path}).${restarts ? ' It takes effect with a restart.' : ''}`;
}
