/** The services that the gateway offers; `app.ts` passes them in as functions. */
import type { ChatService } from '../host/chat.ts';
import type { ConfigStore } from '../config/store.ts';
import type { WebhookHandler } from '../core/channel.ts';
import type { Authority } from '../core/authority.ts';
import type { Log } from '../core/log.ts';
import type { Principal } from '../core/principal.ts';
import type { Descriptors } from '../platform/descriptors.ts';
import type { PerformanceReport } from '../protocol/answers/system.ts';
import type { ChannelService, AccessService, PairingService } from '../host/channel-services.ts';
import type { GatewayConfig } from './config.ts';
import type { FeatureSurface } from '../host/join-features.ts';
import type { RequestRestart } from '../host/restart.ts';
import type { SessionService } from '../host/session-service.ts';
import type { ToolService } from '../host/tool-service.ts';

export interface GatewayServices {
  readonly log: Log;
  readonly version: string;
  readonly stateDir: string;
  /** Undefined where the system does not tell. */
  readonly descriptors?: Descriptors | undefined;
  /** The live gateway slice; a reload changes what it returns. */
  gatewayConfig(): GatewayConfig;
  readonly config: ConfigStore<unknown>;
  readonly chat: ChatService;
  readonly sessions: SessionService;
  readonly agents: AgentService;
  readonly channels: ChannelService;
  /** Pairing requests. */
  readonly pairing: PairingService;
  /** Why a message was or would be answered, and by whom. */
  readonly access: AccessService;
  readonly tools: ToolService;
  /** Methods, events and paths of the features. */
  readonly features: FeatureSurface;
  /** Who serves this path on the gateway's port: a webhook of a connected account. */
  webhook(path: string): WebhookHandler | undefined;
  /** Facts for `health`, `status` and the ready probe; from memory. */
  status(): GatewayStatus;
  /** The journal's part of them; cheap, no network. */
  storage(): Promise<StorageStatus>;
  /** How fast it was in the last hour; reads timelines of up to 200 messages. */
  performance(): Promise<PerformanceReport>;
  readonly requestRestart: RequestRestart;
  /** Posts a system event to the main session; `now` also starts a turn. */
  /**
   * `principal`: who asks at the gateway's surface; `authority`: on whose word, when that is known from before.
   * Neither: nobody's.
   */
  wake(request: {
    text: string;
    mode: 'now' | 'next-heartbeat';
    sessionKey?: string;
    principal?: Principal;
    authority?: Authority;
  }): Promise<void>;
  /**
   * Writes a whole copy of the journal, which no other process can read while this one runs; answers its path in the
   * state directory.
   */
  copyJournal(): Promise<string>;
  /** The file `logs.tail` reads, and news of it. */
  readonly logFile: LogFile;
}

export interface LogFile {
  path(): string;
  /** Told after lines were written to it. Returns what ends that. */
  onWritten(listener: () => void): () => void;
}

export interface GatewayStatus {
  /** False while starting or draining. */
  readonly accepting: boolean;
  readonly phase: 'starting' | 'ready' | 'draining';
  readonly startedAt: number;
  readonly sessions: number;
  readonly activeTurns: number;
  readonly queuedMessages: number;
  readonly config: {
    readonly valid: boolean;
    readonly source: 'file' | 'last-good' | 'defaults';
    readonly safeMode: boolean;
    readonly issues: readonly { path: string; problem: string; fix?: string }[];
  };
  readonly eventLoop: { readonly p99Ms: number; readonly maxMs: number; readonly utilization: number };
  readonly rssBytes: number;
  readonly model: { readonly provider: string; readonly model: string; readonly source: string };
}

export interface AgentService {
  defaultId(): string;
  list(): readonly {
    id: string;
    name?: string;
    identity?: { name?: string; theme?: string; emoji?: string; avatar?: string };
    workspace: string;
    model: string;
  }[];
  models(): Promise<
    readonly {
      id: string;
      name: string;
      provider: string;
      contextWindow?: number;
      reasoning?: boolean;
      input?: readonly string[];
    }[]
  >;
  /**
   * The model a person means: an alias, `provider/model` or a bare id. Undefined or `AppError` with advice when nobody
   * knows it.
   */
  pickModel(written: string): Promise<{ provider: string; modelId: string } | undefined>;
  mainSessionKey(agentId?: string): string;
}

export interface StorageStatus {
  readonly outboxPending: number;
  /** Rows without an end state that are older than the sweep age. */
  readonly overdue: number;
  /** `loss`: what is missing since files of the journal vanished under the running gateway. */
  readonly storage: { readonly ok: boolean; readonly error?: string; readonly loss?: string };
}
