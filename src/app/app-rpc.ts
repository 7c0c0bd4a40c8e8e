/** The gateway methods a tool may call, put together from the parts of the app. */
import type { Opening } from '../core/access-table.ts';
import { sentByTool } from '../core/message-tool.ts';
import type { RequestRestart } from '../host/restart.ts';
import type { Config } from '../schema.ts';
import { remembered } from '../sessions/transcript-line.ts';
import type { AppDeps } from './app-deps.ts';
import type { Host } from '../host/host.ts';
import { keepVerdict } from '../pipeline/keep-verdict.ts';
import { restartRules } from '../host/reload-rules.ts';
import { createToolRpc } from '../tool-methods/tool-rpc.ts';
import type { KeyRules } from '../core/session-key.ts';
import type { SessionService } from '../host/session-service.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ToolRpcDeps } from '../tool-methods/tool-rpc.ts';

export interface AppRpcParts {
  readonly deps: AppDeps;
  readonly host: Host;
  readonly parts: Pick<ToolRpcDeps, 'facts' | 'features' | 'models'> & {
    readonly journal: Journal;
    readonly sessions: Sessions;
    readonly requestRestart: RequestRestart;
    place(at: { readonly agentId: string; readonly sessionKey: string }): { readonly sandbox: unknown };
  };
  keyRules(): KeyRules;
  readonly channels: ToolRpcDeps['messages']['channels'];
  readonly keepFiles: ToolRpcDeps['messages']['keepFiles'];
  sessionService(): SessionService;
}

export function createAppRpc({ deps, host, parts, keyRules, channels, keepFiles, sessionService }: AppRpcParts) {
  const { facts, features, models, journal, sessions, place, requestRestart } = parts;
  const config = (): Config => deps.config.current();
  const now = (): number => deps.clock.now();
  const open = (): readonly Opening[] => config().access.open;
  return createToolRpc({
    facts,
    features,
    models,
    open,
    keep: (run, verdict) => keepVerdict(journal, run, verdict),
    get sessions() {
      return sessionService();
    },
    messages: {
      channels,
      keepFiles,
      isDeliverable: host.channels.isDeliverable,
      config: () => config().tools.message,
      open,
      sentBefore: (turnId) =>
        sentByTool([...journal.turns.recall(turnId).tools.values()].filter((result) => result !== 'unknown')),
    },
    gateway: {
      config: deps.config,
      needsRestart: restartRules(deps.features),
      now,
      canonicalKey: host.sessions.canonicalKey,
      requestRestart,
    },
    elsewhere: {
      config: () => config().gateway,
      ownPort: () => deps.ownPort?.() ?? config().gateway.port,
      connect: async (options) => (await import('../gateway/client.ts')).connectGateway(options),
    },
    talk: {
      get sessions() {
        return sessionService();
      },
      finder: host.sessions.finder,
      keyRules,
      now,
      sandboxed: (at) => place(at).sandbox !== undefined,
      transcriptPath: sessions.transcriptPath,
      messages: async (key) => {
        const session = await sessions.existing(key);
        return (
          session &&
          remembered(session.transcript.lines).flatMap((line) => (line.type === 'message' ? [line.message] : []))
        );
      },
    },
  });
}
