/** Finds bindings that can never match, given the channels' capabilities. */
import type { Issue } from '../../config/store.ts';
import type { ChannelPlugin } from '../../core/channel.ts';
import type { IdForms } from '../../core/place-key.ts';
import type { Binding } from './config.ts';
import { anyAccount, isNamed } from './match.ts';

type Plugin = Pick<ChannelPlugin, 'id' | 'aliases' | 'label' | 'capabilities'>;

/** `accountsOf`: ids of the accounts a channel has; none: it is not set up, and then nothing is known of them. */
export function lintBindings(
  bindings: readonly Binding[],
  plugins: readonly Plugin[],
  accountsOf: (plugin: Plugin) => readonly string[] = () => [],
): readonly Issue[] {
  return bindings.flatMap(({ match }, index): readonly Issue[] => {
    const path = `bindings[${index}].match`;
    const plugin = plugins.find((one) => isNamed(match.channel, one.id, one));
    if (!plugin)
      return [
        {
          path: `${path}.channel`,
          problem: `there is no channel "${match.channel}"`,
          fix: `Use one of: ${plugins.map(({ id }) => id).join(', ')}.`,
        },
      ];
    const { label, capabilities } = plugin;
    if (capabilities.operator)
      return [
        {
          path: `${path}.channel`,
          problem: `${label} chooses its own sessions, so a binding has no effect`,
          fix: 'Remove it.',
        },
      ];
    const kind = match.peer?.kind === 'dm' ? 'direct' : match.peer?.kind;
    return [
      ...byAccount(match, path, { label, accounts: accountsOf(plugin) }),
      ...(kind !== undefined && !capabilities.chats.includes(kind)
        ? [
            {
              path: `${path}.peer.kind`,
              problem: `${label} has no chats of the kind "${kind}"`,
              fix: `Use one of: ${capabilities.chats.join(', ')}.`,
            },
          ]
        : []),
      // Servers, workspaces and teams are made of channels.
      ...((match.guildId ?? match.teamId) !== undefined && !capabilities.chats.includes('channel')
        ? [{ path, problem: `${label} has neither servers nor teams`, fix: 'Remove guildId and teamId.' }]
        : []),
      ...byName(match, path, { ids: capabilities.ids, label }),
    ];
  });
}

function byAccount(
  { accountId }: Binding['match'],
  path: string,
  { label, accounts }: { readonly label: string; readonly accounts: readonly string[] },
): readonly Issue[] {
  if (anyAccount(accountId) || accounts.length === 0 || accounts.includes(accountId!.trim())) return [];
  return [
    {
      path: `${path}.accountId`,
      problem: `${label} has no account "${accountId}", so it matches nothing`,
      fix: `Use one of: ${accounts.join(', ')}; or leave it out for any account.`,
    },
  ];
}

/** Bindings compare ids to the letter. */
function byName(
  { peer, guildId, teamId }: Binding['match'],
  path: string,
  { ids, label }: { readonly ids: IdForms | undefined; readonly label: string },
): readonly Issue[] {
  if (!ids) return [];
  const wanted = [
    { key: 'peer.id', id: peer?.id, form: peer && ['dm', 'direct'].includes(peer.kind) ? ids.person : ids.chat },
    { key: 'guildId', id: guildId, form: ids.space },
    { key: 'teamId', id: teamId, form: ids.space },
  ];
  return wanted.flatMap(({ key, id, form }) =>
    id === undefined ||
    form === undefined ||
    id.trim() === '*' ||
    form.test(id.trim().split(/:(?:topic|thread):/, 1)[0]!)
      ? []
      : [
          {
            path: `${path}.${key}`,
            problem: `is not an id of ${label}, so it matches nothing`,
            fix: 'Use only the id; /whoami in that chat shows it.',
          },
        ],
  );
}
