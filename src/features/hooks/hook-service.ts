/** The interface between the HTTP server of hooks and their execution. */
import type { HooksConfig } from './config.ts';

/** A turn asked for over HTTP. */
export interface HookAgentRequest {
  /** Repeats of it are answered with the run they began. */
  readonly key?: string | undefined;
  /** The hook's path, e.g. `agent` or `github`. */
  readonly hook: string;
  readonly name: string;
  readonly message: string;
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly wakeMode: 'now' | 'next-heartbeat';
  readonly deliver: boolean;
  /** `last` or a channel. */
  readonly channel: string;
  readonly to?: string | undefined;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface HookService {
  /** The live `hooks` slice; a reload changes what it returns. */
  config(): HooksConfig;
  /** Resolves once it is on disk. Unknown agent, model or channel: `invalid`. */
  agent(request: HookAgentRequest): Promise<{ readonly runId: string }>;
  /** As `wake`, once per `key`. */
  wake(request: {
    readonly text: string;
    readonly mode: 'now' | 'next-heartbeat';
    readonly key?: string | undefined;
    readonly sessionKey?: string | undefined;
  }): Promise<void>;
  /** Channels answers may go to: `last` and those that are configured. */
  targets(): readonly string[];
}
