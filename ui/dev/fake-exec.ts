/** The fake gateway's commands: pending approvals, background processes, and tools. */

type Params = Readonly<Record<string, unknown>>;
export interface FakeProcess {
  sessionId: string;
  status: 'running' | 'completed' | 'failed';
  command: string;
  name: string;
  sessionKey: string;
  lines: string[];
  startedAt: number;
  endedAt?: number;
  exitCode?: number;
  endReason?: string;
  stdinWritable: boolean;
  pty: boolean;
  host: 'gateway' | 'sandbox';
}
export interface FakeApproval {
  readonly id: string;
  readonly slug: string;
  readonly request: Params & { readonly sessionKey: string; readonly command: string };
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

const WAIT_MS = 120_000;

export class FakeExec {
  readonly approvals = new Map<string, FakeApproval & { decided(decision: string): void }>();
  readonly processes = new Map<string, FakeProcess>();
  /** The next `exec.approval.resolve` is refused with this. */
  refuse: { code: string; message: string; details?: unknown } | undefined;
  #broadcast: (event: string, payload: unknown) => void;
  #next = 1;

  constructor(broadcast: (event: string, payload: unknown) => void) {
    this.#broadcast = broadcast;
  }

  /** Asks, and resolves with the decision. */
  ask(request: Params & { readonly sessionKey: string; readonly command: string }, waitMs = WAIT_MS): Promise<string> {
    const id = `${(this.#next++).toString(16).padStart(8, 'a')}-0000-4000-8000-000000000000`;
    const asked: FakeApproval = {
      id,
      slug: id.slice(0, 8),
      request: {
        host: 'gateway',
        agentId: 'main',
        cwd: '/home/ada/clawd',
        env: {},
        steps: [],
        reasons: ['not on the allowlist'],
        rememberable: false,
        elevated: false,
        ...request,
      },
      createdAtMs: Date.now(),
      expiresAtMs: Date.now() + waitMs,
    };
    return new Promise((resolve) => {
      this.approvals.set(id, { ...asked, decided: resolve });
      this.#broadcast('exec.approval.requested', asked);
    });
  }

  resolve(id: string, decision: string, resolvedBy: string): { ok: true } {
    const refusal = this.refuse;
    this.refuse = undefined;
    if (refusal) throw Object.assign(new Error(refusal.message), refusal);
    const asked = this.approvals.get(id);
    if (!asked)
      throw Object.assign(new Error(`no approval ${id} is waiting`), {
        code: 'INVALID_REQUEST',
        details: { reason: 'not_found' },
      });
    this.approvals.delete(id);
    this.#broadcast('exec.approval.resolved', { id, decision, resolvedBy, ts: Date.now() });
    asked.decided(decision);
    return { ok: true };
  }

  start(process: Pick<FakeProcess, 'sessionId' | 'command' | 'sessionKey'> & Partial<FakeProcess>): FakeProcess {
    const started: FakeProcess = {
      status: 'running',
      name: process.command.split(' ').slice(0, 2).join(' '),
      lines: [],
      startedAt: Date.now(),
      stdinWritable: true,
      pty: false,
      host: 'gateway',
      ...process,
    };
    this.processes.set(started.sessionId, started);
    this.changed(started);
    return started;
  }

  end(sessionId: string, how: Partial<FakeProcess>): void {
    const process = this.processes.get(sessionId)!;
    Object.assign(process, { status: 'failed', endedAt: Date.now(), stdinWritable: false }, how);
    this.changed(process);
  }

  changed(process: FakeProcess): void {
    this.#broadcast('process.changed', { process: view(process) });
  }

  /** More output of a process, told to those who follow. */
  write(process: FakeProcess, ...lines: string[]): void {
    process.lines.push(...lines);
    this.#broadcast('process.output', { process: view(process) });
  }

  answer(method: string, params: Params): unknown {
    const process = this.processes.get(String(params['sessionId']));
    if (method.endsWith('subscribe')) return { subscribed: method === 'process.subscribe' };
    if (method.startsWith('process.') && method !== 'process.list' && !process)
      throw new Error(`No session found for ${String(params['sessionId'])}`);
    switch (method) {
      case 'exec.approval.list':
        return [...this.approvals.values()].map(({ decided: _function, ...asked }) => asked);
      case 'exec.approval.resolve':
        return this.resolve(String(params['id']), String(params['decision']), 'webchat operator');
      case 'process.list':
        return { processes: [...this.processes.values()].map(view) };
      case 'process.log':
        return logOf(process!, params);
      case 'process.write':
        return this.#write(process!, params);
      case 'process.kill':
        this.end(process!.sessionId, { endReason: 'killed' });
        return { process: view(process!) };
      case 'process.clear':
        this.processes.delete(process!.sessionId);
        return { ok: true };
      case 'tools.explain':
        return TOOLS;
      case 'sandbox.explain':
        return {
          sandboxed: false,
          because: 'agents.defaults.sandbox.mode is "non-main", and this is the main session.',
          mounts: [],
          notes: [],
        };
      default:
        return undefined;
    }
  }

  /** Echoes what is typed, as a program that reads lines would. */
  #write(process: FakeProcess, { data, eof }: Params): object {
    if (data) this.write(process, `> ${String(data).replace(/[\r\n]+$/, '')}`);
    if (eof) this.end(process.sessionId, { status: 'completed', exitCode: 0, endReason: 'exit' });
    return { written: String(data).length };
  }
}

function view({ lines, ...process }: FakeProcess): object {
  const output = lines.join('\n');
  return {
    ...process,
    pid: 4711,
    cwd: '/home/ada/clawd',
    runtimeMs: (process.endedAt ?? Date.now()) - process.startedAt,
    tail: output.slice(-2000),
    outputBytes: output.length,
    truncated: false,
    idleMs: 0,
    timeoutSeconds: 1800,
  };
}

function logOf(process: FakeProcess, { offset, limit }: Params): object {
  const { lines } = process;
  const firstLine =
    typeof offset === 'number' ? offset : Math.max(0, lines.length - (typeof limit === 'number' ? limit : 200));
  const part = lines.slice(
    firstLine,
    typeof offset === 'number' && typeof limit === 'number' ? offset + limit : undefined,
  );
  return {
    view: view(process),
    output: part.join('\n'),
    totalLines: lines.length,
    totalChars: 0,
    firstLine,
    lines: part.length,
    droppedBytes: 0,
  };
}

const stage = (name: string, ok: boolean, more: object = {}): object => ({ stage: name, ok, ...more });
const TOOLS = {
  agentId: 'main',
  sessionKey: 'agent:main:main',
  profile: 'full',
  warnings: [],
  tools: [
    ...['read', 'write', 'edit', 'apply_patch', 'bash', 'process', 'image', 'session_status'].map((name) => ({
      name,
      summary: `What ${name} does`,
      source: 'core',
      allowed: true,
      stages: [stage('profile', true)],
    })),
    {
      name: 'browser',
      summary: 'Drive a browser',
      source: 'core',
      allowed: false,
      stages: [stage('profile', true), stage('global', false, { setting: 'tools.deny', pattern: 'browser' })],
    },
    {
      name: 'weather',
      summary: 'Tell the weather',
      source: 'plugin',
      allowed: false,
      stages: [
        stage('profile', true),
        stage('agent', false, { setting: 'agents.list[0].tools.allow', pattern: 'group:fs, group:runtime' }),
      ],
    },
  ],
};
