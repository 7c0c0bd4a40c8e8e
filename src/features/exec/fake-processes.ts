/** Background commands behind the wire, in memory: what tests put there, with output they choose. */
import type { Processes, ProcessView } from '../../core/shell.ts';
import type { ProcessService } from './exec-service.ts';

export interface FakeProcesses extends ProcessService {
  /** Puts one there, or another state of it, and tells those who listen. */
  put(
    view: Partial<ProcessView> & { readonly sessionId: string; readonly agentId?: string; readonly output?: string },
  ): ProcessView;
  readonly written: { readonly id: string; readonly data: string; readonly eof: boolean }[];
  readonly listeners: Set<(view: ProcessView) => void>;
  /** It wrote something. */
  wrote(id: string): void;
}

interface Held {
  readonly view: ProcessView;
  readonly agentId: string;
  readonly output: string;
}

export function createFakeProcesses(): FakeProcesses {
  const held = new Map<string, Held>();
  const listeners = new Set<(view: ProcessView) => void>();
  const readers = new Set<(id: string, view: () => ProcessView) => void>();
  const written: FakeProcesses['written'] = [];
  const keep = (one: Held): ProcessView => {
    held.set(one.view.sessionId, one);
    listeners.forEach((listener) => listener(one.view));
    return one.view;
  };
  const killed = (one: Held): ProcessView =>
    keep({
      ...one,
      view: { ...one.view, status: 'failed', exitSignal: 'SIGKILL', endReason: 'killed', stdinWritable: false },
    });
  const forget = (id: string): void => void held.delete(id);

  const processes: Processes = {
    list: async () => [...held.values()].map(({ view }) => view),
    async poll(id) {
      const one = held.get(id);
      return one ? { view: one.view, output: one.output, cut: 0 } : 'unknown';
    },
    async log(id, window) {
      const one = held.get(id);
      return one ? { view: one.view, ...linesOf(one.output, window) } : 'unknown';
    },
    async write(id, data, { eof = false } = {}) {
      const one = held.get(id);
      if (!one) return 'unknown';
      if (one.view.status !== 'running') return 'ended';
      if (!one.view.stdinWritable) return 'closed';
      written.push({ id, data: String(data), eof });
      if (eof) keep({ ...one, view: { ...one.view, stdinWritable: false } });
      return data.length;
    },
    async kill(id) {
      const one = held.get(id);
      if (!one) return 'unknown';
      return one.view.status === 'running' ? killed(one) : 'ended';
    },
    async clear(id) {
      const one = held.get(id);
      if (!one) return 'unknown';
      if (one.view.status === 'running') return 'running';
      forget(id);
      return 'cleared';
    },
    async remove(id) {
      const one = held.get(id);
      if (!one) return 'unknown';
      if (one.view.status === 'running') killed(one);
      forget(id);
      return 'removed';
    },
  };

  return {
    written,
    listeners,
    list: async (agentId) =>
      [...held.values()].filter((one) => agentId === undefined || one.agentId === agentId).map(({ view }) => view),
    of: async (id) => (held.has(id) ? processes : undefined),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onOutput(reader) {
      readers.add(reader);
      return () => void readers.delete(reader);
    },
    wrote: (id) => readers.forEach((reader) => reader(id, () => held.get(id)!.view)),
    put({ agentId = 'main', output = '', ...view }) {
      return keep({
        agentId,
        output,
        view: { ...running, tail: output, outputBytes: Buffer.byteLength(output), ...view },
      });
    },
  };
}

const running: Omit<ProcessView, 'sessionId'> = {
  status: 'running',
  pid: 4242,
  command: 'sleep 60',
  name: 'sleep 60',
  cwd: '/fake/clawd',
  host: 'gateway',
  pty: false,
  sessionKey: 'agent:main:main',
  startedAt: 1000,
  runtimeMs: 5000,
  tail: '',
  outputBytes: 0,
  truncated: false,
  stdinWritable: true,
  idleMs: 100,
};

function linesOf(
  output: string,
  { offset, limit }: { readonly offset?: number | undefined; readonly limit?: number | undefined },
) {
  const lines = output === '' ? [] : output.replace(/\n$/, '').split('\n');
  const from = offset ?? Math.max(0, lines.length - (limit ?? 200));
  const shown = lines.slice(from, limit === undefined ? undefined : from + limit);
  return {
    output: shown.join('\n'),
    totalLines: lines.length,
    totalChars: output.length,
    firstLine: from,
    lines: shown.length,
    droppedBytes: 0,
  };
}
