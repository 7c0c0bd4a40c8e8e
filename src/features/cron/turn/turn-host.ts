/** What the cron methods of one turn need from the gateway. */
import type { RecordAccess } from '../../../core/may.ts';
import type { SessionKey } from '../../../core/session-key.ts';
import type { Turn } from '../../../core/turn.ts';
import type { ToolMethods } from '../../../host/feature.ts';
import type { Host } from '../../../host/host.ts';
import { uuid } from '../../../platform/ids.ts';
import { originsOf } from '../../../sessions/origins.ts';
import type { CronService } from '../cron-service.ts';
import { personZone } from '../run/build-cron.ts';
import { linesOf } from './context.ts';
import { createTurnMethods } from './turn-methods.ts';

export interface TurnHostDeps {
  readonly host: Host;
  readonly cron: CronService;
  readonly turn: Turn;
  readonly keep: RecordAccess | undefined;
}

export function methodsOfTurn({ host, cron, turn, keep }: TurnHostDeps): ToolMethods {
  const { config, sessions, channels, agents, waker } = host;
  return createTurnMethods({
    turn,
    keep,
    cron,
    resolve: channels.resolve,
    isDeliverable: channels.isDeliverable,
    config: () => config.current().tools.message,
    open: () => config.current().access.open,
    canonicalKey: sessions.canonicalKey,
    defaultAgentId: agents.defaultId,
    zone: personZone(host),
    conversations: {
      mainKey: sessions.mainKey,
      origins: async (key) => originsOf([(await sessions.get(key))?.spawnedBy], sessions.get),
      lines: async (key, count) => linesOf(await sessions.tail(key, count * 4), count),
    },
    wake: ({ sessionKey, ...wake }) =>
      waker.nudge({
        ...wake,
        agentId: sessions.agentOf(sessionKey),
        sessionKey: sessionKey as SessionKey,
        id: `wake:${uuid()}`,
        reason: 'wake',
        ifSkipped: 'note',
      }),
  });
}
