/** Holds the features and their joined parts for the kernel; empty until they are mounted. */
import { join } from 'node:path';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { EmbedSource } from '../core/canvas.ts';
import type { RecordAccess } from '../core/may.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import type { Turn } from '../core/turn.ts';
import { brokenFields } from './adopt-plugin.ts';
import type { CanvasScreen } from './canvas-screen.ts';
import type { Children } from './children.ts';
import { noDevices, type DeviceRegistry } from './devices.ts';
import type { Feature, FeatureParts, ToolMethods } from './feature.ts';
import type { Host } from './host.ts';
import { joinFeatures, type FeatureSurface, type RunningFeature } from './join-features.ts';
import type { NodeCommands } from './node-commands.ts';
import type { Origins } from './origin-traits.ts';
import type { ReplyPolicies } from './reply-policy.ts';
import { plainEnvironment } from './plain-environment.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import type { Waker } from './wake.ts';

/** The mounted features, joined into one surface. */
export interface Features {
  /**
   * Creates them. A feature that cannot be created is logged and left out. `plainWaker`: wakes agents where no feature
   * does.
   */
  mount(found: readonly Feature[], host: Host, plainWaker: Waker): Promise<void>;
  /** What the gateway serves of them. */
  readonly surface: FeatureSurface;
  readonly replyPolicies: ReplyPolicies;
  readonly origins: Origins;
  /** Those of these tools that no feature brings which could not be created. */
  usable(tools: readonly Tool[]): readonly Tool[];
  /** Where tools work, and with which shell. */
  readonly environment: ToolEnvironment;
  readonly waker: Waker;
  readonly devices: DeviceRegistry;
  readonly children: Children;
  /** Finds nothing where no feature shows anything. */
  readonly embeds: EmbedSource;
  readonly canvasScreen: CanvasScreen | undefined;
  readonly nodeCommands: NodeCommands | undefined;
  /** Sections of an agent's system prompt, in the order of the features' names. */
  sections(agentId: string): readonly string[];
  toolContext(turn: Turn): Partial<ToolContext>;
  /** What tools may call, by the first word of the method; undefined: no feature has that word. */
  toolMethods(noun: string, turn: Turn, keep: RecordAccess | undefined): Promise<ToolMethods> | undefined;
  /** Whether a tool may ask this of another gateway, under the same name. */
  goesElsewhere(method: string): boolean;
  /** Finders of things by their kind. */
  readonly things: NonNullable<FeatureParts['things']>;
  secretPaths(): readonly string[];
  /** What belonged to the session is forgotten. */
  sessionDeleted(sessionKey: string): Promise<void>;
  configChanged(): void;
  /** One that fails is logged and costs the others nothing. */
  start(): Promise<void>;
  /** Returns at once; `close` waits for what was begun. */
  afterStart(): void;
  close(): Promise<void>;
  /** The last of what `close` began. */
  finish(): Promise<void>;
}

/** What mounting needs of the kernel. */
export interface FeaturesDeps {
  readonly log: Log;
  readonly subscribe: FeatureSurface['subscribe'];
}

interface Mounted {
  running: readonly RunningFeature[];
  surface: FeatureSurface;
  begun: Promise<void>;
  plainWaker?: Waker;
  plain?: ToolEnvironment;
  /** Folders of all that were found, created or not. */
  readOnly: () => readonly string[];
  lost: ReadonlySet<Tool>;
}

const nothingMounted = (subscribe: FeatureSurface['subscribe']): Mounted => ({
  readOnly: () => [],
  running: [],
  lost: new Set(),
  surface: joinFeatures([], subscribe),
  begun: Promise.resolve(),
});

/** Creates the registry, empty. Call `mount` once; until then the surface has no methods and no tools. */
export function createFeatures({ log, subscribe }: FeaturesDeps): Features {
  const now = nothingMounted(subscribe);
  const parts = (): readonly FeatureParts[] => now.running.map((one) => one.parts);
  function waker(): Waker {
    const found = only(now.running, 'waker', 'wakes agents') ?? now.plainWaker;
    if (!found) throw new AppError('unavailable', 'The features are not started yet; no agent is woken.');
    return found;
  }
  function environment(): ToolEnvironment {
    const found = only(now.running, 'environment', 'runs commands') ?? now.plain;
    if (!found) throw new AppError('unavailable', 'The features are not started yet; no tool can run.');
    return found;
  }
  const each = async (what: string, run: (one: RunningFeature) => Promise<void> | undefined): Promise<void> => {
    const caught = (one: RunningFeature) =>
      run(one)?.catch((error: unknown) => log.error(`${one.feature.id}.${what}`, { error }));
    await Promise.all(now.running.map(caught));
  };
  return {
    async mount(found, host, plainWaker) {
      now.plainWaker = plainWaker;
      now.plain = plainEnvironment(host);
      now.readOnly = () =>
        found.flatMap(({ folders = [] }) => folders.map((name) => join(host.machine.env.stateDir, name)));
      now.running = (await Promise.all(found.map((feature) => created(feature, host)))).flat();
      now.lost = new Set(found.filter((one) => !runs(one, now.running)).flatMap(({ tools = [] }) => tools));
      now.surface = joinFeatures(now.running, subscribe);
      for (const [part, does] of SINGLE_PARTS) only(now.running, part, does);
    },
    get surface() {
      return now.surface;
    },
    get replyPolicies() {
      return Object.assign({}, ...parts().map(({ replyPolicies }) => replyPolicies)) as ReplyPolicies;
    },
    get origins() {
      return Object.assign({}, ...now.running.map(({ feature }) => feature.origins)) as Origins;
    },
    usable: (tools) => tools.filter((tool) => !now.lost.has(tool)),
    environment: lateEnvironment(environment),
    waker: lateWaker(waker),
    get devices() {
      return only(now.running, 'devices', 'remembers devices') ?? noDevices;
    },
    get canvasScreen() {
      return only(now.running, 'canvasScreen', 'shows canvases');
    },
    get nodeCommands() {
      return only(now.running, 'nodeCommands', 'calls nodes');
    },
    children: joinChildren(() => parts().flatMap((one) => one.children ?? [])),
    embeds: { find: async (embed, whose) => only(now.running, 'embeds', 'shows embeds')?.find(embed, whose) },
    sections: (agentId) => parts().flatMap((one) => one.prompt?.(agentId) ?? []),
    toolContext: (turn) => Object.assign({}, ...parts().map((one) => one.toolContext?.(turn))) as Partial<ToolContext>,
    toolMethods: (noun, turn, keep) => parts().find((one) => one.toolMethods?.[noun])?.toolMethods?.[noun]!(turn, keep),
    goesElsewhere: (method) => now.running.some(({ feature }) => feature.toolMethodsElsewhere?.includes(method)),
    get things() {
      return Object.assign({}, ...parts().map(({ things }) => things)) as Features['things'];
    },
    secretPaths: () => [...now.readOnly(), ...parts().flatMap((one) => one.secretPaths?.() ?? [])],
    sessionDeleted: (sessionKey) => each('sessionDeleted', (one) => one.parts.sessionDeleted?.(sessionKey)),
    configChanged: () => parts().forEach((one) => one.configChanged?.()),
    start: () => each('start', (one) => one.parts.start?.()),
    afterStart: () => void (now.begun = each('start', (one) => one.parts.afterStart?.())),
    close: async () => void (await Promise.all([each('close', (one) => one.parts.close?.()), now.begun])),
    finish: () => each('finish', (one) => one.parts.finish?.()),
  };
}

/** Asked for each time: it is handed out before there is one. */
const lateWaker = (waker: () => Waker): Waker => ({
  nudge: (request) => waker().nudge(request),
  wake: (request) => waker().wake(request),
  isAck: (text, agentId) => waker().isAck(text, agentId),
});

/** Asked for each time, as above. */
const lateEnvironment = (environment: () => ToolEnvironment): ToolEnvironment => ({
  place: (at) => environment().place(at),
  shellOf: (bounds, callId) => environment().shellOf(bounds, callId),
  elevationOf: (whose) => environment().elevationOf(whose),
  usualElevation: () => environment().usualElevation(),
  permitElsewhere: (whose, command, watch) => environment().permitElsewhere(whose, command, watch),
  distinguishesSenders: (channel) => environment().distinguishesSenders(channel),
  get approvals() {
    return environment().approvals;
  },
});

/** Asked for each time, as above. */
const joinChildren = (children: () => readonly Children[]): Children => ({
  of: async (sessionKey) => (await Promise.all(children().map((all) => all.of(sessionKey)))).flat(),
  stop: async (sessionKey, ids) =>
    (await Promise.all(children().map((all) => all.stop(sessionKey, ids)))).reduce((sum, count) => sum + count, 0),
});

/** What one feature at most may give. */
const SINGLE_PARTS = [
  ['waker', 'wakes agents'],
  ['devices', 'remembers devices'],
  ['environment', 'runs commands'],
  ['embeds', 'shows embeds'],
  ['canvasScreen', 'shows canvases'],
  ['nodeCommands', 'calls nodes'],
] as const;

function only<K extends (typeof SINGLE_PARTS)[number][0]>(
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

const runs = (feature: Feature, running: readonly RunningFeature[]): boolean =>
  running.some((one) => one.feature === feature);

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
