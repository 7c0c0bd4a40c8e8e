/** What session tools get of exchanges in one turn, over exchanges that a test makes up. */
import { agentEntry, agentIds } from '../../agent/resolve-agent.ts';
import { AppError } from '../../core/errors.ts';
import type { Trigger } from '../../core/trigger.ts';
import type { Exchange, ExchangeRow } from './exchange.ts';
import { toolFixture, type Fixture as ToolFixture } from '../../testing/tool-sessions-harness.ts';
import type { Exchanges } from './create-exchanges.ts';
import type { StepEnd } from './next-step.ts';
import { createAgentTools, createExchangeTools } from './tool-methods.ts';

const signal = new AbortController().signal;

export interface Fixture extends ToolFixture {
  readonly end?: StepEnd | 'never';
  readonly known?: Partial<ExchangeRow>;
  /** The exchange the turn is a step of. */
  readonly around?: Partial<ExchangeRow>;
  readonly going?: number;
}

export function harness({
  end = { kind: 'said', text: 'hello back' },
  known,
  around,
  going = 0,
  ...fixture
}: Fixture = {}) {
  const { turn, config, sandboxed, sessions, finder } = toolFixture(fixture);
  const begun: Exchange[] = [];
  const waits: number[] = [];
  const exchanges: Exchanges = {
    async begin(exchange) {
      begun.push(exchange);
      return { ...exchange, state: 'open' };
    },
    find: async (id) => (id === 'a'.repeat(32) ? around : known) as ExchangeRow | undefined,
    async whenEnded(_id, _step, { timeoutMs }) {
      waits.push(timeoutMs);
      return end === 'never' ? undefined : end;
    },
    going: async () => going,
    stopChildrenOf: async () => 0,
    childrenOf: async () => [],
    replyPolicy: () => ({}),
    start: async () => undefined,
    close: () => undefined,
  };
  const rules = {
    ids: () => agentIds(config()),
    entry: (id: string) => agentEntry(config(), id),
    defaults: () => config().agents.defaults.subagents,
  };
  const tools = createExchangeTools({
    turn,
    exchanges,
    sessions,
    rules,
    sandboxed,
    finder: () => finder(turn, undefined),
    session: () => config().session,
    now: () => 10_000,
    async chooseModel(_agent, name = '') {
      if (name === 'nope') throw new AppError('not_found', 'There is no model nope.');
      return [{ provider: 'openai', modelId: name }];
    },
  });
  return {
    begun,
    waits,
    agents: createAgentTools({ turn, rules })['agents.list'],
    send: (request: object) =>
      tools['sessions.send']({ message: 'hi', runId: 't:c1', signal, ...request }) as Promise<any>,
    spawn: (request: object = {}) =>
      tools['sessions.spawn']({ task: 'count', runId: 't:c1', ...request }) as Promise<any>,
  };
}

/** A turn that is itself a step; a new exchange is not known yet. */
export const guardHarness = (trigger: Trigger, around: Partial<ExchangeRow>) => harness({ trigger, around });
