/**
 * What is tried when configuration names no model: programs of this machine, the vendor of the chat, vendors with a
 * key.
 */
import type { MediaConfig, MediaEntry } from '../../../../config/understanding-config.ts';
import { present } from '../../../../core/present.ts';
import type { MediaCapability } from '../../../../core/understanding.ts';
import type { LocalMedia } from '../local/local-media.ts';
import type { ActiveModel, MediaModels } from '../media-models.ts';

export interface AutoChoice {
  readonly models: MediaModels;
  readonly local: Pick<LocalMedia, 'auto'>;
  /** The model that answers the message. */
  active(): Promise<ActiveModel | undefined>;
}

/** In order; every entry carries what is needed to run it. Programs that are a last resort stand at the end. */
export async function autoEntries(
  capability: MediaCapability,
  prefer: MediaConfig['prefer'],
  choice: AutoChoice,
): Promise<readonly MediaEntry[]> {
  const found = await choice.local.auto(capability);
  const programs = found.filter(({ lastResort }) => !lastResort);
  const lastResorts = found.filter(({ lastResort }) => lastResort);
  const named = capability === 'image' ? await imageModels(choice.models) : [];
  const active = await ofActive(capability, choice);
  const ranked = await byRank(capability, choice.models);
  const local = capability === 'audio' && prefer === 'local';
  const cloud = capability === 'audio' && prefer === 'cloud';
  const first = local ? [...programs, ...active] : [...named, ...active, ...(cloud ? [] : programs)];
  const vendors = new Set([...named, ...active].map(({ provider }) => provider));
  return [
    ...first,
    ...ranked.filter(({ provider }) => !vendors.has(provider)),
    ...(cloud ? programs : []),
    ...lastResorts,
  ];
}

const vendor = (provider: string, model?: string): MediaEntry => ({
  type: 'provider',
  provider,
  ...present({ model: model || undefined }),
  args: [],
  passEnv: [],
});

async function imageModels(models: MediaModels): Promise<MediaEntry[]> {
  const entries: MediaEntry[] = [];
  for (const name of await models.imageModels()) {
    const slash = name.indexOf('/');
    const found = slash > 0 ? await models.find(name.slice(0, slash)) : undefined;
    if (found?.media.image && found.hasKey) entries.push(vendor(found.id, name.slice(slash + 1)));
  }
  return entries;
}

/** Its vendor, not its model: a chat model takes no recordings. Only pictures go to the model itself, when it sees. */
async function ofActive(capability: MediaCapability, { models, active }: AutoChoice): Promise<MediaEntry[]> {
  const chat = await active();
  const found = chat && (await models.find(chat.provider));
  if (!found?.media[capability]) return [];
  const model = capability === 'image' && chat?.seesImages ? chat.model : undefined;
  return model || found.media[capability].defaultModel ? [vendor(found.id, model)] : [];
}

async function byRank(capability: MediaCapability, models: MediaModels): Promise<MediaEntry[]> {
  const found = await Promise.all((await models.ids()).map((id) => models.find(id)));
  return found
    .flatMap((provider) => {
      const rank = provider?.hasKey ? provider.media[capability]?.rank : undefined;
      return provider && rank !== undefined ? [{ id: provider.id, rank }] : [];
    })
    .toSorted((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1))
    .map(({ id }) => vendor(id));
}
