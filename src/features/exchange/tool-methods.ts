/** The methods of the session tools for one turn: messages to other sessions, and sub-agents. */
import type { Turn } from '../../core/turn.ts';
import type { SessionFinder } from '../../host/session-finder.ts';
import { sendMessage, type SendAnswer, type SendDeps, type SendRequest } from './send-message.ts';
import { spawnSubagent, type SpawnAnswer, type SpawnDeps, type SpawnRequest } from './spawn-subagent.ts';
import { allowedAgents, type AllowedAgents } from './subagent-rules.ts';

export interface ExchangeToolsDeps extends Omit<SendDeps, 'finder'>, SpawnDeps {
  readonly turn: Turn;
  finder(): SessionFinder;
}

/** The ones asking are our own tools, whose arguments the loop has checked. */
export const createExchangeTools = (deps: ExchangeToolsDeps) => ({
  'sessions.send': (request: SendRequest): Promise<SendAnswer> =>
    sendMessage(request, { ...deps, finder: deps.finder() }),
  'sessions.spawn': (request: SpawnRequest): Promise<SpawnAnswer> => spawnSubagent(request, deps),
});

export const createAgentTools = ({ turn, rules }: Pick<ExchangeToolsDeps, 'turn' | 'rules'>) => ({
  'agents.list': async (): Promise<AllowedAgents & { readonly requester: string }> => {
    const requester = turn.route.agentId;
    return { requester, ...allowedAgents(rules, requester) };
  },
});
