/** Finds errors and risks in an account's settings before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { TelegramConfig } from './config.ts';

export function review(config: TelegramConfig): readonly ChannelProblem[] {
  return [...ofAccess(config), ...ofWebhook(config)];
}

function ofAccess({ dmPolicy, allowFrom, groupPolicy }: TelegramConfig): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  if (dmPolicy === 'open')
    problems.push(
      allowFrom.includes('*')
        ? {
            kind: 'security',
            message: 'Everybody on Telegram can send direct messages to the bot.',
            fix: 'Set dmPolicy to "pairing" or "allowlist" unless this is intended.',
          }
        : {
            kind: 'config',
            message: 'dmPolicy is "open", but allowFrom has no "*": only listed senders are answered.',
            fix: 'Add "*" to allowFrom, or set dmPolicy to "pairing".',
          },
    );
  if (groupPolicy === 'open')
    problems.push({
      kind: 'security',
      message: 'Everybody in a group with the bot can write to it.',
      fix: 'Set groupPolicy to "allowlist" and list people in groupAllowFrom.',
    });
  return problems;
}

function ofWebhook({ webhookUrl, webhookPath }: TelegramConfig): ChannelProblem[] {
  if (webhookUrl === undefined) return [];
  const { protocol, pathname } = new URL(webhookUrl);
  return [
    ...(protocol === 'https:'
      ? []
      : [
          {
            kind: 'config' as const,
            message: 'webhookUrl is not https, which Telegram requires.',
            fix: 'Put the gateway behind a proxy or a tailnet name with a certificate.',
          },
        ]),
    ...(webhookPath === undefined && pathname === '/'
      ? [
          {
            kind: 'config' as const,
            message: 'webhookUrl has no path.',
            fix: 'Add one, e.g. https://bot.example.org/telegram-webhook.',
          },
        ]
      : []),
  ];
}
