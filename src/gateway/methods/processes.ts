/** Serves `process.*` and `sandbox.explain`: commands in the background, of every agent, and the box they run in. */
import { AppError } from '../../core/errors.ts';
import type { Processes, ProcessTrouble } from '../../core/shell.ts';
import {
  processListParams,
  processLogParams,
  processParams,
  processWriteParams,
  sandboxExplainParams,
} from '../../protocol/processes.ts';
import { method, requireAgent, sessionKeyOf, type MethodDeps, type Methods } from './method.ts';

const TROUBLE = {
  ended: 'has ended',
  running: 'is still running; end it first',
  foreground: 'is not in the background; the turn that runs it owns it',
  closed: 'takes no input any more',
} as const satisfies Record<Exclude<ProcessTrouble, 'unknown'>, string>;

export const processMethods: Methods = {
  'process.list': method({
    summary: 'Commands in the background, newest first, and those that ended recently.',
    needs: 'operator.read',
    params: processListParams,
    async run({ agentId }, { services }) {
      if (agentId !== undefined) requireAgent(services, agentId);
      return { processes: await services.processes.list(agentId?.toLowerCase()) };
    },
  }),

  'process.log': method({
    summary: 'Output of a command by lines; without a window the last ones.',
    needs: 'operator.read',
    params: processLogParams,
    run: ({ sessionId, ...window }, call) =>
      withProcess(call, sessionId, (processes) => processes.log(sessionId, window)),
  }),

  'process.write': method({
    summary: 'Writes into the input of a running command.',
    // Whoever types into a shell runs what he likes.
    needs: 'operator.admin',
    params: processWriteParams,
    run: ({ sessionId, data, eof }, call) =>
      withProcess(call, sessionId, async (processes) => {
        const written = await processes.write(sessionId, data, eof === undefined ? {} : { eof });
        return typeof written === 'number' ? { written } : written;
      }),
  }),

  'process.kill': method({
    summary: 'Ends a command with everything it started.',
    needs: 'operator.write',
    params: processParams,
    run: ({ sessionId }, call) =>
      withProcess(call, sessionId, async (processes) => {
        const view = await processes.kill(sessionId);
        return typeof view === 'string' ? view : { process: view };
      }),
  }),

  'process.clear': method({
    summary: 'Forgets a command that ended.',
    needs: 'operator.write',
    params: processParams,
    run: ({ sessionId }, call) =>
      withProcess(call, sessionId, async (processes) => okUnless(await processes.clear(sessionId), 'cleared')),
  }),

  'process.remove': method({
    summary: 'Ends a command if need be, and forgets it.',
    needs: 'operator.write',
    params: processParams,
    run: ({ sessionId }, call) =>
      withProcess(call, sessionId, async (processes) => okUnless(await processes.remove(sessionId), 'removed')),
  }),

  'sandbox.explain': method({
    summary: 'Whether commands of a session are boxed in, which setting says so, and what they see.',
    needs: 'operator.read',
    params: sandboxExplainParams,
    run({ agentId, sessionKey }, call) {
      const { services } = call;
      if (agentId !== undefined) requireAgent(services, agentId);
      return services.explainSandbox({
        ...(agentId !== undefined && { agentId: agentId.toLowerCase() }),
        ...(sessionKey !== undefined && { sessionKey: sessionKeyOf(call, sessionKey, agentId) }),
      });
    },
  }),
};

/** Does something with a process that is there; what stands against it becomes an error. */
async function withProcess<T>(
  { services }: Pick<MethodDeps, 'services'>,
  sessionId: string,
  act: (processes: Processes) => Promise<T | ProcessTrouble>,
): Promise<T> {
  const processes = await services.processes.of(sessionId);
  const outcome = processes === undefined ? 'unknown' : await act(processes);
  if (!isTrouble(outcome)) return outcome;
  if (outcome === 'unknown')
    throw new AppError('not_found', `No process ${JSON.stringify(sessionId)}; process.list names them.`, {
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
