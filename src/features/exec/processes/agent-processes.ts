/** The background processes that an agent can access: only its own. */
import { present } from '../../../core/present.ts';
import type { Processes, ProcessTrouble, ProcessView } from '../../../core/shell.ts';
import type { HeldProcess } from './held-process.ts';
import type { Limits } from './process-output.ts';

export interface AgentProcessStore {
  /** Of this agent, or of any; also in the foreground. */
  find(id: string): HeldProcess | undefined;
  all(): readonly HeldProcess[];
  /** It is gone from the list and from the disk. */
  remove(process: HeldProcess): Promise<void>;
}

/** Characters a poll delivers at most, from the beginning and the end of what is new. */
const DELIVERED = { headChars: 8_000, tailChars: 22_000 };

export function agentProcesses(store: AgentProcessStore, delivered: Limits = DELIVERED): Processes {
  const background = (id: string): HeldProcess | ProcessTrouble => {
    const found = store.find(id);
    if (!found) return 'unknown';
    return found.record.background ? found : 'foreground';
  };
  return {
    list: async () => listOf(store.all()),
    async poll(id, { waitMs, signal }) {
      const found = background(id);
      if (typeof found === 'string') return found;
      await found.news({ ms: waitMs, signal });
      return found.inTurn(() => deliver(found, delivered));
    },
    async log(id, window) {
      const found = background(id);
      if (typeof found === 'string') return found;
      await found.refreshView();
      return { view: found.view(), ...(await found.output.log(window)) };
    },
    async write(id, data, { eof = false } = {}) {
      const found = background(id);
      if (typeof found === 'string') return found;
      if (found.record.outcome) return 'ended';
      return found.write(typeof data === 'string' ? Buffer.from(data) : data, eof);
    },
    async kill(id) {
      const found = background(id);
      if (typeof found === 'string') return found;
      return end(found);
    },
    async clear(id) {
      const found = background(id);
      if (typeof found === 'string') return found;
      await found.recountDaemons();
      if (!found.record.over || found.record.daemons.length > 0) return 'running';
      await store.remove(found);
      return 'cleared';
    },
    async remove(id) {
      const found = background(id);
      if (typeof found === 'string') return found;
      await end(found);
      await store.remove(found);
      return 'removed';
    },
  };
}

/** Newest first. */
export async function listOf(processes: readonly HeldProcess[]): Promise<ProcessView[]> {
  const listed = processes.filter(({ record }) => record.background);
  await Promise.all(listed.map((process) => process.refreshView()));
  return listed.map((process) => process.view()).sort((a, b) => b.startedAt - a.startedAt);
}

async function deliver(
  process: HeldProcess,
  limits: Limits,
): Promise<{ view: ProcessView; output: string; cut: number }> {
  await process.refreshView();
  const view = process.view();
  const over = view.status !== 'running';
  const { output, cut, next } = await process.output.since(process.record.cursor, { ...limits, open: !over });
  await process.change(present({ cursor: next, told: over ? true : undefined }));
  return { view, output, cut };
}

/** Whoever kills a process knows that it ended. */
async function end(process: HeldProcess): Promise<ProcessView | ProcessTrouble> {
  await process.recountDaemons();
  if (process.record.over && process.record.daemons.length === 0) return 'ended';
  await process.change({ told: true });
  if (!process.record.over) await process.end('killed');
  if (process.record.daemons.length > 0) await process.endDaemons();
  return process.view();
}
