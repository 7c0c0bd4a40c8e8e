/** `/allowlist`: shows and changes who may write to the bot, by stable id. */
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import type { CommandCall } from './command-call.ts';
import type { Command } from './command.ts';
import type { CommandHost } from './command-host.ts';
import { refusedHere } from './config-command.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

const USAGE = '⚙️ Usage: /allowlist [list], /allowlist add [group] <id>, /allowlist remove [group] <id>';

export const allowlistCommand: Command = {
  name: 'allowlist',
  does: ['change', 'configuration'],
  usage: '/allowlist [list|add|remove] [group] [id]',
  summary: 'List or change who may write here, by sender id; channel:id for another channel.',
  group: 'Control',
  changesRights: true,
  takesText: false,
  takes: /^(?:list(?:\s+\S+)?|(?:add|remove|rm)(?:\s+(?:dm|group))?\s+\S+)$/i,
  native: {
    args: [
      { name: 'action', description: 'What to do', choices: ['list', 'add', 'remove'] },
      { name: 'id', description: 'Sender id; put "group" before it for groups' },
    ],
  },
  async run(call, host) {
    const words = call.args.split(/\s+/).filter(Boolean);
    const [verb = 'list', ...more] = words.map((word) => word.toLowerCase());
    const written = words.at(-1) ?? '';
    if (verb === 'list')
      return { reply: listed(placeOf(more[0] === undefined ? '' : `${more[0]}:`, call, host), host) };
    if (more.length === 0) return { reply: USAGE };
    const key = more[0] === 'group' && more.length > 1 ? ('groupAllowFrom' as const) : ('allowFrom' as const);
    return {
      reply:
        refusedHere(call, host) ??
        (await change({ host, key, place: placeOf(written, call, host), adds: verb === 'add' })),
    };
  },
};

interface Place {
  readonly channel: string;
  readonly accountId: string;
  /** The entry without its channel. */
  readonly entry: string;
  readonly has: boolean;
}

/** The channel an entry names, else the one this was typed in. */
function placeOf(
  written: string,
  {
    row: {
      message: { address },
    },
  }: CommandCall,
  host: CommandHost,
): Place {
  const { channelIds } = host.settings();
  const [, named, entry] = /^([a-z][\w-]*):(.*)$/is.exec(written) ?? [];
  const other = named === undefined ? undefined : channelIds.find((id) => id === named.toLowerCase());
  const channel = other ?? address.channel;
  const accountId = channel === address.channel ? address.accountId : DEFAULT_ACCOUNT_ID;
  return { channel, accountId, entry: other === undefined ? written : entry!, has: channelIds.includes(channel) };
}

const nameIt = '⚠️ Give the channel: /allowlist list telegram, /allowlist add telegram:123456.';

function listed({ channel, accountId, has }: Place, host: CommandHost): string {
  if (!has) return nameIt;
  const { allowFrom, groupAllowFrom, dmPolicy, groupPolicy } = host.settings().account({ channel, accountId });
  const names = (ids: readonly string[] | undefined): string =>
    ids === undefined ? 'as direct chats' : ids.length === 0 ? 'nobody' : ids.join(', ');
  return [
    `⚙️ ${channel}`,
    `Direct chats (${dmPolicy}): ${names(allowFrom)}`,
    `Groups (${groupPolicy}): ${names(groupAllowFrom)}`,
    `People approved by pairing are not in this list; \`${PUBLIC_COMMAND} pairing list\` shows them.`,
  ].join('\n');
}

interface Change {
  readonly host: CommandHost;
  readonly key: 'allowFrom' | 'groupAllowFrom';
  readonly place: Place;
  readonly adds: boolean;
}

async function change({ host, key, place, adds }: Change): Promise<string> {
  const { channel, accountId, entry, has } = place;
  if (!has) return nameIt;
  if (adds && entry === '*')
    return '⚠️ A channel cannot be opened to everybody from a chat. To do so, add "*" in the configuration.';
  const id = host.senderEntry(channel, entry);
  if (adds && id === undefined)
    return (
      `⚠️ "${entry}" is not a sender id of ${channel}. Names and handles can change owners; /whoami shows a ` +
      `person's id.`
    );
  const settings = host.settings();
  const lists = settings.account({ channel, accountId });
  const now = lists[key] ?? lists.allowFrom; // a list of its own for groups begins with those it stands in place of
  const same = (one: string): boolean =>
    [entry, id].some(
      (spelled) =>
        spelled !== undefined &&
        [spelled, `${channel}:${spelled}`].some((text) => text.toLowerCase() === one.trim().toLowerCase()),
    );
  if (adds && now.some(same)) return `⚙️ ${id} is already in the list.`;
  if (!adds && !now.some(same)) return `⚙️ ${entry} is not in the list.`;
  const path = `${settings.channelPath(channel, accountId)}.${key}`;
  const { restarts } = await host.config.set(path, adds ? [...now, id!] : now.filter((one) => !same(one)));
  return (
    `⚙️ ${adds ? `${id} may write` : `${entry} may no longer write`} ` +
    `${key === 'allowFrom' ? 'in direct chats' : 'in groups'} ` +
    `(${path}).${restarts ? ' It takes effect after a restart.' : ''}`
  );
}
