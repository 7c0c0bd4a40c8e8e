/** Who would be asked about pictures, recordings and films in a conversation, without asking them anything. */
import type { MediaConfig, MediaEntry } from '../../../config/understanding-config.ts';
import { MEDIA_CAPABILITIES, type MediaCapability } from '../../../core/understanding.ts';
import { autoEntries } from './entries/auto-entries.ts';
import { configuredEntries } from './entries/configured-entries.ts';
import type { Conversation } from './media-models.ts';
import type { MediaDeps } from './media-run.ts';

export interface MediaHandlers {
  readonly kind: MediaCapability;
  /** False when configuration says so. */
  readonly on: boolean;
  /** Commands and providers in the order they are tried. */
  readonly by: readonly string[];
  /** The chat model receives the file directly. */
  readonly shown?: boolean;
}

export async function findHandlers(
  at: Conversation,
  config: MediaConfig,
  deps: MediaDeps,
): Promise<readonly MediaHandlers[]> {
  const active = await deps.models.active(at);
  return Promise.all(
    MEDIA_CAPABILITIES.map(async (kind): Promise<MediaHandlers> => {
      if (config[kind].enabled === false) return { kind, on: false, by: [] };
      const { entries, explicit } = await configuredEntries(kind, config, deps.models);
      if (kind === 'image' && !explicit && active?.seesImages)
        return { kind, on: true, by: [`${active.provider}/${active.model}`], shown: true };
      if (entries.length > 0) return { kind, on: true, by: entries.map(nameOf) };
      const found = (await autoEntries(kind, config.prefer, { ...deps, active: async () => active })).map(nameOf);
      return { kind, on: true, by: kind === 'video' && (await deps.local.takesApart()) ? [...found, 'ffmpeg'] : found };
    }),
  );
}

const nameOf = ({ command, provider, model }: MediaEntry): string =>
  command ?? [provider, model].filter(Boolean).join('/');
