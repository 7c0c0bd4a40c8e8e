/** Serves `process.*` and `sandbox.explain`: background commands of every agent, and their sandbox. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { Processes, ProcessTrouble } from '../../core/shell.ts';
import {
  processFollowParams,
  processListParams,
  processLogParams,
  processParams,
  processWriteParams,
  sandboxExplainParams,
} from './process-params.ts';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import { namedSession, requireAgentId, type NamedSessionDeps } from '../../host/named-session.ts';
import type { OutputRelay } from './output-relay.ts';
import type { ExecServices, ProcessService } from './exec-service.ts';

const TROUBLE = {
  ended: 'has ended',
  running: 'is still running; kill it first',
  foreground: 'is not in the background; it belongs to the turn that runs it',
  closed: 'no longer accepts input',
} as const satisfies Record<Exclude<ProcessTrouble, 'unknown'>, string>;

export const processSpecs = defineMethods({
  'process.list': {
    summary: 'Lists running and recently finished background commands, newest first.',
    needs: 'operator.read',
    params: processListParams,
  },
  'process.log': {
    summary: 'Returns output of a command by lines; by default the last lines.',
    needs: 'operator.read',
    params: processLogParams,
  },
  'process.write': {
    summary: 'Writes to the standard input of a running command.',
    // Whoever types into a shell runs what he likes.
    needs: 'operator.admin',
    params: processWriteParams,
  },
  'process.kill': {
    summary: 'Kills a command and everything it started.',
    needs: 'operator.write',
    params: processParams,
  },
  'process.clear': {
    summary: 'Removes a finished command from the list.',
    needs: 'operator.write',
    params: processParams,
  },
  'process.remove': {
    summary: 'Kills a command if it is running, and removes it from the list.',
    needs: 'operator.write',
    params: processParams,
  },
  'process.subscribe': {
    summary: 'Subscribes to output: `process.output` events while commands write, a few times a second at most.',
    needs: 'operator.read',
    params: processFollowParams,
  },
  'process.unsubscribe': {
    summary: 'Unsubscribes from output.',
    needs: 'operator.read',
    params: processFollowParams,
  },
  'sandbox.explain': {
    summary: 'Explains whether commands of a session are sandboxed, which setting decides, and what they can access.',
    needs: 'operator.read',
    params: sandboxExplainParams,
  },
});

export interface ProcessMethodDeps extends NamedSessionDeps {
  readonly processes: ProcessService;
  readonly output: Pick<OutputRelay, 'follow' | 'leave'>;
  readonly explainSandbox: ExecServices['explainSandbox'];
}

export function processMethods({
  processes,
  output,
  explainSandbox,
  ...named
}: ProcessMethodDeps): MethodWorks<typeof processSpecs> {
  const withProcess = <T>(id: string, act: (processes: Processes) => Promise<T | ProcessTrouble>): Promise<T> =>
    doneWith(processes, id, act);
  return {
    async 'process.list'({ agentId }) {
      if (agentId !== undefined) requireAgentId(named, agentId);
      return { processes: await processes.list(agentId?.toLowerCase()) };
    },

    'process.log': ({ sessionId, ...window }) => withProcess(sessionId, (found) => found.log(sessionId, window)),

    'process.write': ({ sessionId, data, eof }) =>
      withProcess(sessionId, async (found) => {
        const written = await found.write(sessionId, data, eof === undefined ? {} : { eof });
        return typeof written === 'number' ? { written } : written;
      }),

    'process.kill': ({ sessionId }) =>
      withProcess(sessionId, async (found) => {
        const view = await found.kill(sessionId);
        return typeof view === 'string' ? view : { process: view };
      }),

    'process.clear': ({ sessionId }) =>
      withProcess(sessionId, async (found) => okUnless(await found.clear(sessionId), 'cleared')),

    'process.remove': ({ sessionId }) =>
      withProcess(sessionId, async (found) => okUnless(await found.remove(sessionId), 'removed')),

    'process.subscribe'(_params, { client }) {
      if (client) output.follow(client);
      return { subscribed: client !== undefined };
    },

    'process.unsubscribe'(_params, { client }) {
      if (client) output.leave(client);
      return { subscribed: false };
    },

    'sandbox.explain'({ agentId, sessionKey }) {
      if (agentId !== undefined) requireAgentId(named, agentId);
      return explainSandbox(
        present({
          agentId: agentId?.toLowerCase(),
          sessionKey: sessionKey !== undefined ? namedSession(named, sessionKey, agentId) : undefined,
        }),
      );
    },
  };
}

/** Does something with a process that is there; what stands against it becomes an error. */
async function doneWith<T>(
  service: ProcessService,
  sessionId: string,
  act: (processes: Processes) => Promise<T | ProcessTrouble>,
): Promise<T> {
  const processes = await service.of(sessionId);
  const outcome = processes === undefined ? 'unknown' : await act(processes);
  if (!isTrouble(outcome)) return outcome;
  if (outcome === 'unknown')
    throw new AppError('not_found', `Unknown process ${JSON.stringify(sessionId)}; process.list lists the processes.`, {
      details: { code: 'PROCESS_NOT_FOUND' },
    });
  throw new AppError('conflict', `${sessionId} ${TROUBLE[outcome]}.`, {
    details: { code: `PROCESS_${outcome.toUpperCase()}` },
  });
}

const isTrouble = <T>(outcome: T | ProcessTrouble): outcome is ProcessTrouble =>
  outcome === 'unknown' || (typeof outcome === 'string' && Object.hasOwn(TROUBLE, outcome));
const okUnless = <D extends string>(outcome: D | ProcessTrouble, done: D): { ok: true } | ProcessTrouble =>
  outcome === done ? { ok: true } : (outcome as ProcessTrouble);
