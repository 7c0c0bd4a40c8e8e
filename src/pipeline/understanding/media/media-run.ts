/** What one run of the media step shares: the message, the configuration, and who is asked about what. */
import type { MediaConfig, MediaEntry } from '../../../config/understanding-config.ts';
import type { MediaCapability } from '../../../core/understanding.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { UnderstandingContext } from '../context.ts';
import { autoEntries } from './entries/auto-entries.ts';
import { configuredEntries, type Configured } from './entries/configured-entries.ts';
import type { LocalMedia } from './local/local-media.ts';
import type { ActiveModel, MediaModels } from './media-models.ts';

export interface MediaDeps {
  readonly models: MediaModels;
  readonly local: LocalMedia;
  readonly clock: Clock;
}

export interface MediaRun {
  readonly context: UnderstandingContext;
  readonly config: MediaConfig;
  readonly deps: MediaDeps;
  /** The model that answers the message; asked once. */
  active(): Promise<ActiveModel | undefined>;
  configured(capability: MediaCapability): Promise<Configured>;
  /** The configured entries; without any, those that are found. */
  entriesFor(capability: MediaCapability): Promise<{ readonly entries: readonly MediaEntry[]; readonly auto: boolean }>;
}

export function openMediaRun(context: UnderstandingContext, config: MediaConfig, deps: MediaDeps): MediaRun {
  const active = once(() => deps.models.active(context));
  const configured = onceFor((capability) => configuredEntries(capability, config, deps.models));
  const found = onceFor((capability) => autoEntries(capability, config.prefer, { ...deps, active }));
  return {
    context,
    config,
    deps,
    active,
    configured,
    async entriesFor(capability) {
      const { entries } = await configured(capability);
      return entries.length > 0 ? { entries, auto: false } : { entries: await found(capability), auto: true };
    },
  };
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}

function onceFor<T>(ask: (capability: MediaCapability) => Promise<T>): (capability: MediaCapability) => Promise<T> {
  const answers = new Map<MediaCapability, Promise<T>>();
  return (capability) => {
    const answer = answers.get(capability) ?? ask(capability);
    answers.set(capability, answer);
    return answer;
  };
}
