/** What the form lets choose from: channels that are set up, agents, models, conversations. */
import type { App } from '../../../../ui/src/app.ts';
import type { ChannelsStatus } from '../../../../ui/src/gateway/wire.ts';
import { channelOf, titleOf } from '../../../../ui/src/gateway/sessions.ts';

export interface Choices {
  readonly channels: readonly {
    readonly id: string;
    readonly label: string;
    readonly accounts: readonly { readonly id: string; readonly label: string }[];
  }[];
  readonly agents: readonly { readonly id: string; readonly label: string }[];
  /** `provider/model`. */
  readonly models: readonly string[];
  readonly sessions: readonly { readonly key: string; readonly label: string }[];
}

export const NO_CHOICES: Choices = { channels: [], agents: [], models: [], sessions: [] };

/** Conversations beyond the newest are found on their own page. */
const SESSIONS = 60;

/** A list the gateway cannot give is empty: the form works without it. */
export async function choicesOf(app: App): Promise<Choices> {
  const [channels, agents, models] = await Promise.all([
    orNone(app.request('channels.status')),
    orNone(app.request('agents.list')),
    orNone(app.request('models.list')),
  ]);
  return {
    channels: (channels?.channelOrder ?? []).flatMap((id) => channelChoice(id, channels!)),
    agents: (agents?.agents ?? []).map(({ id, name }) => ({ id, label: name && name !== id ? `${name} (${id})` : id })),
    models: (models?.models ?? []).map(({ id, provider }) =>
      id.startsWith(`${provider}/`) ? id : `${provider}/${id}`,
    ),
    sessions: app.sessions.store
      .get()
      .rows.filter(({ updatedAt }) => updatedAt !== null)
      .slice(0, SESSIONS)
      .map((row) => ({ key: row.key, label: `${titleOf(row)} · ${channelOf(row)}` })),
  };
}

/** The web chat is no place to send to: what is said there stays in its conversation. */
function channelChoice(id: string, { channelLabels, channelAccounts }: ChannelsStatus): Choices['channels'] {
  const accounts = (channelAccounts[id] ?? []).filter(({ configured, enabled }) => configured && enabled);
  return id === 'webchat' || accounts.length === 0
    ? []
    : [
        {
          id,
          label: channelLabels[id] ?? id,
          accounts: accounts.map(({ accountId, name }) => ({ id: accountId, label: name ?? accountId })),
        },
      ];
}

async function orNone<A>(answer: Promise<A>): Promise<A | undefined> {
  try {
    return await answer;
  } catch (cause) {
    console.info('A field of the form has no choices.', cause);
    return undefined;
  }
}
