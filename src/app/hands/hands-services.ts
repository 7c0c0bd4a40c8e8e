/**
 * Approvals, processes and sandboxes as the gateway offers them to its clients; looking at what nobody started loads
 * nothing.
 */
import { mainSessionKey, parseSessionKey } from '../../core/session-key.ts';
import { defaultAgentId } from '../../agent/resolve-agent.ts';
import type { Pending } from '../../features/exec/approvals/pending.ts';
import type { GatewayServices, ProcessService } from '../../gateway/services.ts';
import type { HandsParts } from './hands-parts.ts';
import { sandboxQuestion, type PlaceDeps } from './place.ts';

export interface HandsServicesDeps {
  readonly pending: Pending;
  readonly places: PlaceDeps;
  /** Builds the parts where they are not there yet. */
  load(): Promise<HandsParts>;
  isLoaded(): boolean;
  watchProcesses: ProcessService['subscribe'];
}

export function createHandsServices({
  pending,
  places,
  load,
  isLoaded,
  watchProcesses,
}: HandsServicesDeps): Pick<GatewayServices, 'approvals' | 'processes' | 'explainSandbox'> {
  return {
    approvals: {
      ask: (question, options) => pending.ask(question, options),
      find: (id) => pending.find(id),
      pending: () => pending.list(),
      resolve: async (id, decision, by) => pending.resolve(id, decision, by),
      subscribe: (listener) => pending.subscribe(listener),
      file: async () => (await load()).file.snapshot(),
      setFile: async (file, baseHash) => (await load()).file.replace(file, baseHash),
    },
    processes: {
      list: async (agentId) => (isLoaded() ? (await load()).registry.list(agentId) : []),
      async of(id) {
        if (!isLoaded()) return undefined;
        const { registry } = await load();
        return (await registry.list()).some((view) => view.sessionId === id) ? registry.of(undefined) : undefined;
      },
      subscribe: watchProcesses,
    },
    async explainSandbox({ agentId, sessionKey }) {
      const id =
        agentId ??
        (sessionKey === undefined ? undefined : parseSessionKey(sessionKey)?.agentId) ??
        defaultAgentId(places.config());
      const question = sandboxQuestion(
        { agentId: id, sessionKey: sessionKey ?? mainSessionKey(id, places.keyRules()) },
        places,
      );
      return (await load()).sandboxes.explain(question);
    },
  };
}
