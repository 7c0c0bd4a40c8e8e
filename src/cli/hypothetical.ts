/** Builds a hypothetical message from command-line options. */
import { AppError } from '../core/errors.ts';
import type { Call } from './command.ts';

const KINDS: Readonly<Record<string, string>> = { direct: 'direct', dm: 'direct', group: 'group', channel: 'channel' };

/** Parameters of `route.explain` and `access.explain`; what was not typed is left out. */
export function hypothetical({ flags }: Call): Readonly<Record<string, unknown>> {
  const channel = flags.text('channel');
  if (channel === undefined) throw new AppError('invalid', 'Set --channel, for example --channel telegram.');
  const written = flags.text('kind');
  if (written !== undefined && !Object.hasOwn(KINDS, written))
    throw new AppError('invalid', `--kind is "${written}"; use direct, group or channel.`);
  const roles = flags
    .text('roles')
    ?.split(',')
    .map((role) => role.trim())
    .filter(Boolean);
  const all = {
    channel,
    accountId: flags.text('account'),
    chatKind: written && KINDS[written],
    chatId: flags.text('chat'),
    threadId: flags.text('thread'),
    spaceId: flags.text('space'),
    senderId: flags.text('sender'),
    roles,
    text: flags.text('text'),
    mentioned: flags.has('mentioned') ? true : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
