/** What is wrong or dangerous in the settings of an account, before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { TelegramConfig } from './config.ts';
import { senderEntry } from './targets.ts';

export function review(config: TelegramConfig): readonly ChannelProblem[] {
  return [...ofDoors(config), ...ofPeople(config), ...ofGroups(config), ...ofWebhook(config)];
}

function ofDoors({ dmPolicy, allowFrom, groupPolicy }: TelegramConfig): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  if (dmPolicy === 'open') problems.push(allowFrom.includes('*')
    ? { kind: 'security', message: 'Everybody on Telegram may write to the bot in direct chats.', fix: 'Set dmPolicy to "pairing" or "allowlist" unless that is meant.' }
    : { kind: 'config', message: 'dmPolicy is "open", but allowFrom has no "*": nobody but those listed is answered.', fix: 'Add "*" to allowFrom, or set dmPolicy to "pairing".' });
  if (groupPolicy === 'open') problems.push({ kind: 'security', message: 'Everybody in a group with the bot may write to it.', fix: 'Set groupPolicy to "allowlist" and name people in groupAllowFrom.' });
  return problems;
}

function ofPeople({ allowFrom, groupAllowFrom = [], groups = {} }: TelegramConfig): ChannelProblem[] {
  const lists = [['allowFrom', allowFrom], ['groupAllowFrom', groupAllowFrom], ...Object.entries(groups).map(([id, group]) => [`groups.${id}.allowFrom`, group.allowFrom ?? []] as const)] as const;
  return lists.flatMap(([list, entries]) => {
    const names = entries.filter((entry) => entry !== '*' && senderEntry(entry) === undefined);
    return names.length === 0 ? [] : [{ kind: 'config' as const, message: `${list} has entries that are no user ids and never match: ${names.join(', ')}.`, fix: 'Write the number /whoami shows; names can change hands.' }];
  });
}

function ofGroups({ groups = {} }: TelegramConfig): ChannelProblem[] {
  const ids = Object.keys(groups).filter((id) => id !== '*' && !/^-\d+$/.test(id));
  return ids.length === 0 ? [] : [{ kind: 'config', message: `groups has keys that are no group ids: ${ids.join(', ')}.`, fix: 'Ids of groups are negative numbers such as -1001234567890; /whoami in the group shows its own.' }];
}

function ofWebhook({ webhookUrl, webhookPath }: TelegramConfig): ChannelProblem[] {
  if (webhookUrl === undefined) return [];
  const { protocol, pathname } = new URL(webhookUrl);
  return [
    ...(protocol === 'https:' ? [] : [{ kind: 'config' as const, message: 'webhookUrl is not https; Telegram posts to https alone.', fix: 'Put the gateway behind a proxy or a tailnet name with a certificate.' }]),
    ...(webhookPath === undefined && pathname === '/' ? [{ kind: 'config' as const, message: 'webhookUrl has no path.', fix: 'Write one, e.g. https://bot.example.org/telegram-webhook.' }] : []),
  ];
}
