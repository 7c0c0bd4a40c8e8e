/**
 * A feature: one folder under `src/features/`, found by its name, with everything of one capability in it. What is data
 * stands here and is read without running it; what runs comes from `create`.
 *
 * Beside `index.ts` are found by their names: `cli.ts` (command lines), `audit.ts` (rules of `security audit`),
 * `doctor.ts` (what `doctor` looks at), `node.ts` (what `node run` offers of it), `answers.ts` (schemas of what its
 * methods and events carry), `README.md` (its docs page), `tools/<name>/` (tools, each a folder as those under
 * `src/tools/`), `page/` (its page of the Control UI), `viewer/` (a page outside it), `bench.mjs` (its section of the
 * benchmarks) and its tests.
 */
import type { z } from 'zod';
import type { ResourceKind } from '../core/access-table.ts';
import type { EmbedSource } from '../core/canvas.ts';
import type { Home } from '../core/authority.ts';
import type { SettingRules } from '../config/setting-rules.ts';
import type { NamedThing } from '../core/explain-access.ts';
import type { Requirement } from '../core/principal.ts';
import type { ToolContext, Tool } from '../core/tool.ts';
import type { JournalTables } from '../journal/tables.ts';
import type { RecordAccess } from '../core/may.ts';
import type { Turn } from '../core/turn.ts';
import type { CanvasScreen } from './canvas-screen.ts';
import type { Children } from './children.ts';
import type { ClientWatch } from './clients.ts';
import type { DeviceRegistry } from './devices.ts';
import type { Host } from './host.ts';
import type { HttpRoutes, HttpSurface } from './http/surface.ts';
import type { MethodSpecs, MethodWork } from './method.ts';
import type { NodeCommands } from './node-commands.ts';
import type { FeaturePage } from './plugin-page.ts';
import type { Origins } from './origin-traits.ts';
import type { ReplyPolicies } from './reply-policy.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import type { Waker } from './wake.ts';

/** One capability: what is data is read without running it, `create` gives what runs. */
export interface Feature {
  /** The name of its folder: lower-case letters, digits and dashes. */
  readonly id: string;
  /** Where a third party's lies, as `plugins.load.paths` names it. */
  readonly from?: string;
  /** One sentence on what it gives people. */
  readonly summary: string;
  /** Settings it adds to the configuration. */
  readonly config?: readonly ConfigSlice[];
  /**
   * What only shows beside other sections. `reachable`: others than this machine reach the gateway, by the
   * configuration
   * or by what the command line and the environment make of it. Asked after the schemas.
   */
  readonly checkConfig?: (config: unknown, facts: { readonly reachable: boolean }) => readonly ConfigProblem[];
  /** What is known of them beside the schema: what a turn may change, old spellings, variables of the environment. */
  readonly settings?: SettingRules;
  /** What holds for messages it has agents work on. */
  readonly origins?: Origins;
  /** Gateway methods by name. */
  readonly methods?: MethodSpecs;
  /** Events it publishes, and what a client must hold to hear each. */
  readonly events?: Readonly<Record<string, Requirement>>;
  /** Tools that models may call, besides those under `src/tools/`. */
  readonly tools?: readonly Tool[];
  /**
   * Of what its tools may call, that which may be asked of another gateway too, where it has the same name. Nothing
   * else
   * goes out.
   */
  readonly toolMethodsElsewhere?: readonly string[];
  /** A page of the Control UI that the gateway serves as it lies; `page/` of our own features is built with the UI. */
  readonly page?: FeaturePage;
  /** What it keeps in the journal; `host.journal.tables` gives what it does with it. */
  readonly tables?: readonly JournalTables[];
  /** Folders of the state directory that are its own: nobody but the gateway reads or writes them, running or not. */
  readonly folders?: readonly string[];
  /** Settings whose change restarts the gateway in place; all others are read live. */
  readonly restartsOn?: readonly string[];
  /** Nothing is begun before `start`; what needs memory or other code is loaded when it is first used. */
  create(host: Host): FeatureParts | Promise<FeatureParts>;
}

/** Something in a valid configuration that a feature cannot work with. */
export interface ConfigProblem {
  readonly path: readonly string[];
  /** Follows the path: `must differ from …`. */
  readonly message: string;
}

/** A part of the configuration's schema that a feature brings along. */
export interface ConfigSlice {
  /** Where it stands: `cron`, `agents.defaults.heartbeat`, `agents.list[].heartbeat`. */
  readonly path: string;
  readonly schema: z.ZodType;
}

/** One call of a tool: when it ends, and where it says how it stands. */
export interface ToolCall {
  readonly signal: AbortSignal;
  progress(text: string): void;
}

/** Methods that a tool may call for its turn; each validates its parameters as untrusted input. */
export type ToolMethods = Readonly<Record<string, (params: never, call: ToolCall) => Promise<unknown>>>;

/** What somebody names by its id when they ask who may do something to it. Rejects with `not_found`. */
export type FindThing = (id: string, home: Home) => Promise<NamedThing>;

/** What a running feature does for the gateway; everything absent it does not do. */
export interface FeatureParts {
  /** The work of every method of the feature's table. */
  readonly methods?: Readonly<Record<string, MethodWork<never>>>;
  /** What it serves on the gateway's port. */
  http?(surface: HttpSurface): HttpRoutes;
  /**
   * By the first word of the method: what tools may call, besides what the gateway itself has under that word. Loaded
   * by
   * the first call in a turn.
   */
  readonly toolMethods?: Readonly<Record<string, (turn: Turn, keep: RecordAccess | undefined) => Promise<ToolMethods>>>;
  /** What it adds to the context of every tool call of a turn. */
  toolContext?(turn: Turn): Partial<ToolContext>;
  /** A section of the system prompt of an agent, the same text for the same configuration; undefined: none. */
  prompt?(agentId: string): string | undefined;
  /** What becomes of answers to turns it began. */
  readonly replyPolicies?: ReplyPolicies;
  /** Work that sessions start beside themselves: shown by `/subagents`, stopped with its session. */
  readonly children?: Children;
  /** What embeds of answers may show: one feature at most knows. */
  readonly embeds?: EmbedSource;
  /** Wakes agents in its own way, in place of the kernel's: one feature at most does. */
  readonly waker?: Waker;
  /** Where tools work, and their shell, in place of the agent's bare folder: one feature at most gives it. */
  readonly environment?: ToolEnvironment;
  /** Things of its own that the table of rights knows, by their kind. */
  readonly things?: Readonly<Partial<Record<ResourceKind, FindThing>>>;
  /** Devices that may connect with a key of their own: one feature at most remembers them. */
  readonly devices?: DeviceRegistry;
  /** A window of the gateway's own that shows canvases: one feature at most has one. */
  readonly canvasScreen?: CanvasScreen;
  /** Commands of paired devices: one feature at most has them. */
  readonly nodeCommands?: NodeCommands;
  /** Follows the connections of clients to the gateway. */
  readonly clients?: ClientWatch;
  /** Added to the answer of the method `status`. */
  status?(): Readonly<Record<string, unknown>>;
  /** Fields of the published health summary that this feature knows; the protocol allows no others. */
  health?(): Readonly<Record<string, unknown>>;
  /** Further files nobody but the gateway may read or write, absolute. */
  secretPaths?(): readonly string[];
  /** A session is deleted, its transcript after this: forgets what belonged to it. A reset is no deletion. */
  sessionDeleted?(sessionKey: string): Promise<void>;
  /** The configuration is another one now. */
  configChanged?(): void;
  /** Takes up what an earlier run left behind, then begins. What it throws is logged, and the gateway goes on. */
  start?(): Promise<void>;
  /** Begun once every feature is started and new work is taken; nobody waits for it but the end of the gateway. */
  afterStart?(): Promise<void>;
  /** Begins nothing any more; resolves when it is at rest. */
  close?(): Promise<void>;
  /** Asked after `close`: resolves when what takes its time and needs no turns is done. All else has ended by then. */
  finish?(): Promise<void>;
}

/** Keeps the type of the feature. */
export const defineFeature = <const F extends Feature>(feature: F): F => feature;
