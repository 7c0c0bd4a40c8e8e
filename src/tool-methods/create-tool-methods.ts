/** Creates the gateway methods that tools may call. */
import type { Models } from '../agent/models/create-models.ts';
import type { Opening } from '../core/access-table.ts';
import type { RecordAccess } from '../core/may.ts';
import { sentByTool } from '../core/message-tool.ts';
import type { ChannelService } from '../host/channel-services.ts';
import type { Host } from '../host/host.ts';
import type { SessionService } from '../host/session-service.ts';
import type { Config } from '../schema.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { remembered } from '../sessions/transcript-line.ts';
import type { ConnectRemote } from './remote-rpc.ts';
import { createToolRpc, type ToolRpcDeps } from './tool-rpc.ts';

export interface ToolMethodsDeps {
  readonly host: Host;
  readonly features: ToolRpcDeps['features'];
  readonly models: Models;
  readonly sessions: Pick<Sessions, 'existing' | 'transcriptPath'>;
  readonly sessionService: SessionService;
  readonly channels: ChannelService;
  readonly keepFiles: ToolRpcDeps['messages']['keepFiles'];
  readonly keep: RecordAccess;
  facts: ToolRpcDeps['facts'];
  /** Whether a change of this setting restarts the gateway. */
  needsRestart(path: string): boolean;
  /** The port the gateway listens on, once it does. */
  ownPort(): number | undefined;
  readonly connect: ConnectRemote;
}

export function createToolMethods(deps: ToolMethodsDeps): ReturnType<typeof createToolRpc> {
  const { host, features, models, sessionService, facts, keep } = deps;
  const config = (): Config => host.config.current();
  const open = (): readonly Opening[] => config().access.open;
  return createToolRpc({
    facts,
    features,
    models,
    open,
    keep,
    sessions: sessionService,
    messages: messagesOf(deps, open),
    gateway: {
      config: host.config.store,
      needsRestart: deps.needsRestart,
      now: () => host.machine.clock.now(),
      canonicalKey: host.sessions.canonicalKey,
      requestRestart: host.gateway.requestRestart,
    },
    elsewhere: {
      config: () => config().gateway,
      ownPort: () => deps.ownPort() ?? config().gateway.port,
      connect: deps.connect,
      rules: host.config.store.rules,
    },
    talk: talkOf(deps),
  });
}

function messagesOf({ host, channels, keepFiles }: ToolMethodsDeps, open: () => readonly Opening[]) {
  const { journal } = host;
  return {
    channels,
    keepFiles,
    isDeliverable: host.channels.isDeliverable,
    config: () => host.config.current().tools.message,
    open,
    sentBefore: async (turnId: string) =>
      sentByTool([...(await journal.turns.recall(turnId)).tools.values()].filter((result) => result !== 'unknown')),
  };
}

function talkOf({ host, sessions, sessionService }: ToolMethodsDeps): ToolRpcDeps['talk'] {
  return {
    sessions: sessionService,
    finder: host.sessions.finder,
    keyRules: host.sessions.keyRules,
    now: () => host.machine.clock.now(),
    sandboxed: (at) => host.agents.place(at).sandbox !== undefined,
    transcriptPath: sessions.transcriptPath,
    async messages(key) {
      const session = await sessions.existing(key);
      return (
        session &&
        remembered(session.transcript.lines).flatMap((line) => (line.type === 'message' ? [line.message] : []))
      );
    },
  };
}
