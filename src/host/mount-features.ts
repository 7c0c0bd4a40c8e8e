/** Creates the features that were found and gives what they are made of to the parts of the kernel that ask for it. */
import { AppError } from '../core/errors.ts';
import type { KeepVerdict } from '../core/may.ts';
import type { ToolContext } from '../core/tool.ts';
import type { Turn } from '../core/turn.ts';
import type { Children } from './children.ts';
import { brokenFields } from './adopt-plugin.ts';
import { noDevices, type DeviceRegistry } from './devices.ts';
import type { Feature, FeatureParts, ToolMethods } from './feature.ts';
import type { Host } from './host.ts';
import { joinFeatures, type FeatureSurface, type RunningFeature } from './join-features.ts';
import type { ReplyPolicies } from './reply-policy.ts';
import type { Waker } from './wake.ts';

export interface MountedFeatures {
  /** What the gateway serves of them. */
  readonly surface: FeatureSurface;
  readonly replyPolicies: ReplyPolicies;
  readonly waker: Waker;
  readonly devices: DeviceRegistry;
  readonly children: Children;
  /** Sections of an agent's system prompt, in the order of the features' names. */
  sections(agentId: string): readonly string[];
  toolContext(turn: Turn): Partial<ToolContext>;
  /** What tools may call, by the first word of the method; undefined: no feature has that word. */
  toolMethods(noun: string, turn: Turn, keep: KeepVerdict | undefined): Promise<ToolMethods> | undefined;
  /** Whether a tool may ask this of another gateway, under the same name. */
  goesElsewhere(method: string): boolean;
  /** Finders of things by their kind. */
  readonly things: NonNullable<FeatureParts['things']>;
  secretPaths(): readonly string[];
  configChanged(): void;
  /** One that fails is logged and costs the others nothing. */
  start(): Promise<void>;
  /** Returns at once; `close` waits for what was begun. */
  afterStart(): void;
  close(): Promise<void>;
  /** The last of what `close` began. */
  finish(): Promise<void>;
}

export interface MountDeps {
  readonly host: Host;
  /** Wakes agents where no feature does. */
  readonly plainWaker: Waker;
  readonly subscribe: FeatureSurface['subscribe'];
}

/** A feature that cannot be created is logged and left out. */
export async function mountFeatures(
  found: readonly Feature[],
  { host, plainWaker, subscribe }: MountDeps,
): Promise<MountedFeatures> {
  const { log } = host.machine;
  const running = (await Promise.all(found.map((feature) => created(feature, host)))).flat();
  const parts = running.map((one) => one.parts);
  const each = async (what: string, run: (one: RunningFeature) => Promise<void> | undefined): Promise<void> => {
    const caught = (one: RunningFeature) =>
      run(one)?.catch((error: unknown) => log.error(`${one.feature.id}.${what}`, { error }));
    await Promise.all(running.map(caught));
  };
  const state = { begun: Promise.resolve() };
  return {
    surface: joinFeatures(running, subscribe),
    replyPolicies: Object.assign({}, ...parts.map(({ replyPolicies }) => replyPolicies)) as ReplyPolicies,
    waker: only(running, 'waker', 'wakes agents') ?? plainWaker,
    devices: only(running, 'devices', 'remembers devices') ?? noDevices,
    children: joinChildren(parts.flatMap((one) => one.children ?? [])),
    sections: (agentId) => parts.flatMap((one) => one.prompt?.(agentId) ?? []),
    toolContext: (turn) => Object.assign({}, ...parts.map((one) => one.toolContext?.(turn))) as Partial<ToolContext>,
    toolMethods: (noun, turn, keep) => parts.find((one) => one.toolMethods?.[noun])?.toolMethods?.[noun]!(turn, keep),
    goesElsewhere: (method) => running.some(({ feature }) => feature.toolMethodsElsewhere?.includes(method)),
    things: Object.assign({}, ...parts.map(({ things }) => things)) as MountedFeatures['things'],
    secretPaths: () => parts.flatMap((one) => one.secretPaths?.() ?? []),
    configChanged: () => parts.forEach((one) => one.configChanged?.()),
    start: () => each('start', (one) => one.parts.start?.()),
    afterStart: () => void (state.begun = each('start', (one) => one.parts.afterStart?.())),
    close: async () => void (await Promise.all([each('close', (one) => one.parts.close?.()), state.begun])),
    finish: () => each('finish', (one) => one.parts.finish?.()),
  };
}

/** What one feature at most may give. */
function only<K extends 'waker' | 'devices'>(
  running: readonly RunningFeature[],
  part: K,
  does: string,
): FeatureParts[K] | undefined {
  const givers = running.filter(({ parts }) => parts[part]);
  if (givers.length > 1)
    throw new AppError(
      'conflict',
      `Only one feature ${does}; ${givers.map(({ feature }) => feature.id).join(' and ')} do.`,
    );
  return givers[0]?.parts[part];
}

const joinChildren = (all: readonly Children[]): Children => ({
  of: (sessionKey) => all.flatMap((one) => one.of(sessionKey)),
  stop: async (sessionKey, ids) =>
    (await Promise.all(all.map((one) => one.stop(sessionKey, ids)))).reduce((sum, count) => sum + count, 0),
});

async function created(feature: Feature, host: Host): Promise<readonly RunningFeature[]> {
  try {
    return [{ feature, parts: await feature.create(host) }];
  } catch (error) {
    const { log } = host.machine;
    if (feature.from === undefined) log.error('feature.broken', { feature: feature.id, error });
    else log.error('plugin.broken', brokenFields(feature.id, feature.from, error));
    return [];
  }
}
