/** The exchange feature: messages between sessions, and sub-agents. */
import { defineFeature } from '../../host/feature.ts';
import type { Host } from '../../host/host.ts';
import { createExchanges, type Exchanges } from './create-exchanges.ts';
import { EXCHANGE_TABLES } from './exchange-tables.ts';
import { head } from '../../core/cut.ts';

export default defineFeature({
  id: 'exchange',
  summary: 'Lets sessions message each other and start sub-agents.',
  tables: [EXCHANGE_TABLES],
  // A turn that another one waits for must not need its place: nobody waits for a sub-agent's task, but for what is
  // asked of it.
  origins: {
    session: { work: (trigger) => (trigger.origin === 'session' && trigger.step === 'task' ? 'subagent' : 'nested') },
  },

  create(host) {
    const { machine, sessions, agents, journal } = host;
    const exchanges = createExchanges({
      ...host,
      journal: { ...journal, exchanges: journal.tables(EXCHANGE_TABLES) },
      clock: machine.clock,
      log: machine.log,
      agentOf: sessions.agentOf,
      receive: host.inbox.receive,
      channelId: host.channels.channelId,
      abort: (sessionKey) => host.chat.abort({ sessionKey }),
      archiveAfterMinutes: () => subagentsOf(host).archiveAfterMinutes,
      checkpoint: host.gateway.checkpoint,
    });
    const rules = { ids: agents.ids, entry: agents.entry, defaults: () => subagentsOf(host) };
    const { start, close, replyPolicy } = exchanges;
    return {
      replyPolicies: { session: replyPolicy },
      children: childrenOf(exchanges, sessions),
      // The code is loaded by the first call: most turns make none.
      toolMethods: {
        sessions: async (turn, keep) =>
          (await import('./tool-methods.ts')).createExchangeTools({
            turn,
            exchanges,
            sessions,
            rules,
            finder: () => sessions.finder(turn, keep),
            session: () => host.config.current().session,
            chooseModel: agents.chooseModel,
            sandboxed: (at) => agents.place(at).sandbox !== undefined,
            now: () => machine.clock.now(),
          }),
        agents: async (turn) => (await import('./tool-methods.ts')).createAgentTools({ turn, rules }),
      },
      start,
      close: async () => close(),
    };
  },
});

const subagentsOf = ({ config }: Host) => config.current().agents.defaults.subagents;

const childrenOf = ({ childrenOf: of, stopChildrenOf }: Exchanges, { agentOf }: Pick<Host['sessions'], 'agentOf'>) => ({
  of: async (sessionKey: string) =>
    (await of(sessionKey)).map(({ id, child, request, targetKey }) => ({
      id,
      label: child?.label ?? head(request.replace(/\s+/g, ' '), 60),
      agentId: agentOf(targetKey),
    })),
  stop: stopChildrenOf,
});
