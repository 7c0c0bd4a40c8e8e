/** Approvals, processes and sandboxes for people; reading does not load anything that is not running. */
import { parseSessionKey } from '../../core/session-key.ts';
import type { Pending } from './approvals/pending.ts';
import type { ExecParts } from './exec-parts.ts';
import type { ExecServices, ProcessService } from './exec-service.ts';
import { sandboxQuestion, type PlaceDeps } from './place.ts';

export interface ExecServicesDeps {
  readonly pending: Pending;
  readonly places: PlaceDeps;
  defaultAgentId(): string;
  /** Builds the parts where they are not there yet. */
  load(): Promise<ExecParts>;
  isLoaded(): boolean;
  readonly watch: Pick<ProcessService, 'subscribe' | 'onOutput'>;
}

export function createExecServices({
  pending,
  places,
  defaultAgentId,
  load,
  isLoaded,
  watch,
}: ExecServicesDeps): ExecServices {
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
      ...watch,
    },
    async explainSandbox({ agentId, sessionKey }) {
      const id =
        agentId ?? (sessionKey === undefined ? undefined : parseSessionKey(sessionKey)?.agentId) ?? defaultAgentId();
      const question = sandboxQuestion({ agentId: id, sessionKey: sessionKey ?? places.mainKey(id) }, places);
      return (await load()).sandboxes.explain(question);
    },
  };
}
