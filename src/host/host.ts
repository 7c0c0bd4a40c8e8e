/** The host: everything of the gateway that a feature may use. The kernel creates one for each feature. */
import type { Offered } from '../core/choice.ts';
import type { AgentEntry } from '../agent/config.ts';
import type { VendorState } from '../agent/models/vendor-states.ts';
import type { ResolvedAgent } from '../agent/resolve-agent.ts';
import type { ConfigStore } from '../config/store.ts';
import type { Log } from '../core/log.ts';
import type { ChatAddress } from '../core/message.ts';
import type { KeyRules, SessionKey } from '../core/session-key.ts';
import type { ElsewhereCommand, ElsewherePermit, ShellWatch } from '../core/shell.ts';
import type { Turn } from '../core/turn.ts';
import type { Journal } from '../journal/journal.ts';
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { PayloadOf } from '../protocol/answers.ts';
import type { Config } from '../schema.ts';
import type { Message } from '../core/transcript.ts';
import type { SessionEntry, SessionPatch } from '../sessions/entry.ts';
import type { DeliveryTargetDeps } from './delivery-target.ts';
import type { ChatService } from './chat.ts';
import type { DeviceRegistry } from './devices.ts';
import type { Ability } from './ability.ts';
import type { CanvasScreen } from './canvas-screen.ts';
import type { NodeCommands } from './node-commands.ts';
import type { Inbox } from './inbox.ts';
import type { FindSessions } from './session-finder.ts';
import type { RequestRestart } from './restart.ts';
import type { Runs } from './runs.ts';
import type { At, Workplace } from './tool-environment.ts';
import type { Waker } from './wake.ts';

/** All of the gateway that a feature may reach. */
export interface Host {
  readonly machine: Machine;
  readonly config: HostConfig;
  readonly journal: Journal;
  readonly inbox: Inbox;
  readonly runs: Runs;
  readonly chat: ChatService;
  readonly sessions: HostSessions;
  readonly agents: HostAgents;
  readonly channels: HostChannels;
  readonly waker: Waker;
  readonly understanding: HostUnderstanding;
  readonly gateway: HostGateway;
}

/** What is the same for every feature: environment, log, clock, version. */
export interface Machine {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  /** Of this product, `x.y.z`. */
  readonly version: string;
  /** The installed package or checkout, absolute. */
  readonly root: string;
  /** IANA time zone of this machine, read each time. */
  zone(): string;
}

/** The configuration as a feature reads it; it may change while the gateway runs. */
export interface HostConfig {
  /** As it is now; frozen. */
  current(): Config;
  /** What a feature added under a key of its own, as its schema read it. */
  slice<T>(key: string): T;
  readonly store: ConfigStore<Config>;
}

/** Sessions by their canonical keys: their entries, not their transcripts. */
export interface HostSessions {
  get(key: string): Promise<SessionEntry | undefined>;
  /** At once, as far as it is known: after a `get` of any session of the same agent, all of that agent's. */
  peek(key: string): SessionEntry | undefined;
  /** Creates the entry when the key is new. */
  patch(key: string, patch: SessionPatch): Promise<SessionEntry>;
  /** Newest first. */
  list(filter?: {
    readonly label?: string;
    readonly limit?: number;
  }): Promise<readonly { readonly key: string; readonly entry: SessionEntry }[]>;
  /** Stops what runs in it, and forgets it. */
  delete(key: string, options: { readonly archiveTranscript: boolean }): Promise<unknown>;
  /** Forgets one transcript of a session that has gone on in another. */
  discard(key: string, sessionId: string): Promise<unknown>;
  /** The newest messages of a transcript without reading all of it. */
  tail(key: string, limit: number): Promise<readonly Message[]>;
  /** For tools: which sessions a turn may see and write to. */
  readonly finder: FindSessions;
  agentOf(key: string): string;
  /** The main session of an agent; of the default agent when none is named. */
  mainKey(agentId?: string): SessionKey;
  /** What keys are made by: the default agent, the name of main sessions, the scope. */
  keyRules(): KeyRules;
  /** Any spelling a person or client may use → the key. */
  canonicalKey(raw: string): SessionKey;
}

/** The agents that are configured. */
export interface HostAgents {
  /** In configured order; one at least. */
  ids(): readonly string[];
  defaultId(): string;
  /** What is in force for one agent. Unknown: `AppError('not_found')`. */
  resolve(agentId: string): ResolvedAgent;
  /** What is written about one agent; undefined when nothing is. */
  entry(agentId: string): AgentEntry | undefined;
  /** Where an agent's folder is, and whether its commands are boxed in there. */
  place(at: At): Workplace;
  /** Whether a command of a turn may run on another machine; a person is asked where the settings say so. */
  permitElsewhere(turn: Turn, command: ElsewhereCommand, watch: ShellWatch): Promise<ElsewherePermit>;
  /** Names of the files of an agent's folder that its turns are told. */
  readonly promptFiles: readonly string[];
  /** Every skill the agent finds, also those it may not use; those of its own folder before those of all agents. */
  skills(
    agentId: string,
  ): Promise<readonly { readonly name: string; readonly description: string; readonly path: string }[]>;
  /** Creates the folder of an agent with its starter files, once. */
  prepareWorkspace(folder: string): Promise<void>;
  /** Every model there is a vendor and a key for. */
  models(): Promise<readonly { readonly id: string; readonly provider: string }[]>;
  /** The providers one can set up, with a key or without. */
  vendors(): Promise<readonly VendorState[]>;
  /** One short answer of a model (`provider/model` or an alias); rejects with the `AppError` of its provider. */
  tryModel(written: string, signal: AbortSignal): Promise<string>;
  /** The model a person means: an alias, `provider/model` or a bare id; undefined when nobody knows it. */
  pickModel(written: string): Promise<{ readonly provider: string; readonly modelId: string } | undefined>;
  /** Models a text may name: `provider/model` or an alias; the first is used. Unknown: rejects with advice. */
  chooseModel(
    agentId: string,
    written?: string,
  ): Promise<readonly { readonly provider: string; readonly modelId: string }[]>;
}

/** The chats a feature may write to. */
export interface HostChannels extends DeliveryTargetDeps {
  /** Can be written to without somebody having a page of ours open. */
  isDeliverable(channel: string): boolean;
  /** Those that are configured and can be written to. */
  ids(): readonly string[];
  /** Sends text to a chat without a turn, once per id. Resolves when it is stored; it is sent as soon as possible. */
  postNotice(
    address: ChatAddress,
    said: { readonly sessionKey: string; readonly text: string; readonly id?: string },
  ): Promise<void>;
  /**
   * The same for a run, once per token, in as many messages as the channel takes. Resolves when each went out or is
   * left for later.
   */
  notify(
    address: ChatAddress,
    said: {
      readonly token: string;
      readonly runId: string;
      readonly sessionKey: string;
      /** Says in words, too, how to answer. */
      readonly text: string;
      /** Answers offered as buttons, where the channel has them. */
      readonly choices?: Offered;
    },
  ): Promise<void>;
  /** An entry of a list as the channel spells its senders; undefined: it names nobody. */
  senderEntry(channel: string, entry: string): string | undefined;
  /** Resolves when the platform took this message of the outbox, refused it, or cannot be reached for now. */
  sent(outboxId: number): Promise<unknown>;
}

/** What a feature can ask about understanding links and attachments. */
export interface HostUnderstanding {
  /**
   * What becomes text before the agent of the main conversation sees a message, and who does it. Looks for programs,
   * asks nobody about anything.
   */
  abilities(): Promise<readonly Ability[]>;
}

/** The gateway itself: events to clients, its start, restart and whether it takes work. */
export interface HostGateway {
  /** Tells every client that may hear it; the event is one of the feature's own. */
  publish<E extends string>(event: E, payload: PayloadOf<E>): void;
  /** Devices with a key of their own, as they are paired. */
  readonly devices: Pick<DeviceRegistry, 'find' | 'retire'>;
  /** When this run of the gateway began, milliseconds since the epoch. */
  readonly startedAt: number;
  /** The port it listens on, once it does. */
  port(): number | undefined;
  /** False where the system chose that port: what is counted from it belongs to anybody then. */
  hasFixedPort(): boolean;
  /** False while starting or draining. */
  accepting(): boolean;
  /** Rejects nothing that is asked in time; where nobody restarts the process it throws `unsupported`. */
  readonly requestRestart: RequestRestart;
  /** Ends with the gateway. */
  readonly closing: AbortSignal;
  /** A window that shows canvases; undefined: no feature has one. */
  canvasScreen(): CanvasScreen | undefined;
  /** Commands of paired devices; undefined: no feature has any. */
  nodeCommands(): NodeCommands | undefined;
  /** Named points between two writes, at which tests end the process and tracing looks. */
  checkpoint(name: string, id: string): void;
}
