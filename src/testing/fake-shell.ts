/** A shell in memory: commands are scripted, background processes behave like real ones. */
import { Buffer } from 'node:buffer';
import { present } from '../core/present.ts';
import type {
  EndReason,
  ProcessLog,
  Processes,
  ProcessTrouble,
  ProcessView,
  Shell,
  ShellOutcome,
  ShellRequest,
  ShellWatch,
} from '../core/shell.ts';
import { headTail } from '../features/exec/output/head-tail.ts';
import { logWindow } from '../features/exec/output/lines.ts';
import { nameOf } from '../features/exec/output/name.ts';
import type { Clock } from '../platform/clock.ts';
import { createFakeClock } from './fake-clock.ts';

/** What a command does; one nobody scripted is not found, as in a shell. */
export interface FakeScript {
  readonly output?: string;
  readonly exitCode?: number;
  readonly exitSignal?: string;
  readonly endReason?: EndReason;
  /** It goes on in the background until the test ends it. */
  readonly runs?: boolean;
  readonly pty?: boolean;
  readonly warnings?: readonly string[];
  readonly leftBehind?: NonNullable<ProcessView['leftBehind']>;
  /** How it comes out without running here. */
  readonly refused?: Extract<ShellOutcome, { kind: 'refused' | 'elsewhere' }>;
  readonly progress?: readonly string[];
}

export interface FakeSession {
  readonly id: string;
  print(text: string): void;
  end(how: { readonly exitCode?: number; readonly exitSignal?: string; readonly endReason?: EndReason }): void;
  /** All it was sent. */
  input(): Buffer;
  inputClosed(): boolean;
}

export interface FakeShell extends Shell {
  readonly requests: readonly ShellRequest[];
  readonly clock: Clock;
  /** Starts one in the background, as an earlier call would have. */
  background(command: string, script?: FakeScript): FakeSession;
  session(id: string): FakeSession;
}

const SHOWN = { head: 8_000, tail: 22_000 };
const NAMES = ['calm-harbor', 'brave-otter', 'quiet-meadow', 'swift-river', 'amber-lantern'];

interface Kept {
  readonly id: string;
  readonly command: string;
  readonly script: FakeScript;
  readonly startedAt: number;
  output: string;
  delivered: number;
  end?: {
    readonly at: number;
    readonly exitCode?: number;
    readonly exitSignal?: string;
    readonly endReason: EndReason;
  };
  input: Buffer;
  inputClosed: boolean;
  news: PromiseWithResolvers<void>;
  lastOutputAt: number;
}

export function createFakeShell(
  scripts: Readonly<Record<string, FakeScript>> = {},
  clock: Clock = createFakeClock(),
): FakeShell {
  const requests: ShellRequest[] = [];
  const kept = new Map<string, Kept>();
  let started = 0;

  const start = (command: string, script: FakeScript): Kept => {
    const id =
      NAMES[started % NAMES.length]! + (started >= NAMES.length ? `-${Math.floor(started / NAMES.length) + 1}` : '');
    started++;
    const one: Kept = {
      id,
      command,
      script,
      startedAt: clock.now(),
      output: script.output ?? '',
      delivered: 0,
      input: Buffer.alloc(0),
      inputClosed: false,
      news: Promise.withResolvers(),
      lastOutputAt: clock.now(),
    };
    if (!script.runs)
      one.end = {
        at: clock.now(),
        endReason: script.endReason ?? (script.exitSignal ? 'signal' : 'exit'),
        ...(script.exitSignal ? { exitSignal: script.exitSignal } : { exitCode: script.exitCode ?? 0 }),
      };
    return one;
  };

  async function run(request: ShellRequest, watch: ShellWatch): Promise<ShellOutcome> {
    requests.push(request);
    if (watch.signal.aborted)
      return { kind: 'refused', code: 'aborted', message: 'Stopped before the command started.' };
    const script = scripts[request.command] ?? {
      output: `sh: 1: ${request.command.split(' ')[0]}: not found\n`,
      exitCode: 127,
    };
    if (script.refused) return script.refused;
    for (const text of script.progress ?? []) watch.progress(text);
    const one = start(request.command, script);
    const warnings = script.warnings ?? [];
    if (request.background || script.runs) {
      kept.set(one.id, one);
      return { kind: 'running', view: viewOf(one, clock.now()), warnings };
    }
    return { kind: 'ended', view: viewOf(one, clock.now()), warnings, ...headTail(one.output, SHOWN) };
  }

  return {
    requests,
    clock,
    run,
    processes: fakeProcesses(kept, clock),
    background(command, script = { runs: true }) {
      const one = start(command, script);
      kept.set(one.id, one);
      return sessionOf(one, clock);
    },
    session(id) {
      const one = kept.get(id);
      if (!one) throw new Error(`The fake shell has no session ${id}.`);
      return sessionOf(one, clock);
    },
  };
}

function sessionOf(one: Kept, clock: Clock): FakeSession {
  const notify = (): void => {
    one.news.resolve();
    one.news = Promise.withResolvers();
  };
  return {
    id: one.id,
    print(text) {
      one.output += text;
      one.lastOutputAt = clock.now();
      notify();
    },
    end({ exitCode, exitSignal, endReason }) {
      one.end = present({
        at: clock.now(),
        endReason: endReason ?? (exitSignal ? 'signal' : 'exit'),
        exitCode,
        exitSignal,
      });
      notify();
    },
    input: () => one.input,
    inputClosed: () => one.inputClosed,
  };
}

function viewOf(
  { id, command, script, startedAt, output, end, inputClosed, lastOutputAt }: Kept,
  now: number,
): ProcessView {
  return present({
    sessionId: id,
    command,
    name: nameOf(command),
    cwd: '/work',
    host: 'gateway',
    pty: script.pty === true,
    sessionKey: 'agent:main:main',
    startedAt,
    pid: 4711,
    timeoutSeconds: 1800,
    status: !end ? 'running' : end.exitCode === 0 && end.endReason === 'exit' ? 'completed' : 'failed',
    runtimeMs: (end?.at ?? now) - startedAt,
    tail: output.slice(-2000),
    outputBytes: Buffer.byteLength(output),
    truncated: false,
    stdinWritable: !end && !inputClosed,
    idleMs: now - lastOutputAt,
    endedAt: end?.at,
    endReason: end?.endReason,
    exitCode: end?.exitCode,
    exitSignal: end?.exitSignal,
    leftBehind: script.leftBehind,
  });
}

function fakeProcesses(kept: Map<string, Kept>, clock: Clock): Processes {
  const view = (one: Kept): ProcessView => viewOf(one, clock.now());
  /** Runs the action on a process that still runs. */
  const running = <T>(id: string, act: (one: Kept) => T): T | ProcessTrouble => {
    const one = kept.get(id);
    return !one ? 'unknown' : one.end ? 'ended' : act(one);
  };
  const kill = (one: Kept): void => sessionOf(one, clock).end({ exitSignal: 'SIGKILL', endReason: 'killed' });
  return {
    list: async () => [...kept.values()].reverse().map(view),
    async poll(id, { waitMs, signal }) {
      const one = kept.get(id);
      if (!one) return 'unknown';
      if (one.delivered === one.output.length && !one.end && waitMs > 0)
        await Promise.race([one.news.promise, clock.sleep(waitMs, signal).catch(stopped)]);
      const fresh = headTail(one.output.slice(one.delivered), SHOWN);
      one.delivered = one.output.length;
      return { view: view(one), ...fresh };
    },
    async log(id, window): Promise<ProcessLog | ProcessTrouble> {
      const one = kept.get(id);
      return one
        ? { view: view(one), totalChars: one.output.length, droppedBytes: 0, ...logWindow(one.output, window) }
        : 'unknown';
    },
    write: async (id, data, options) =>
      running(id, (one) => {
        if (one.inputClosed) return 'closed';
        one.input = Buffer.concat([one.input, Buffer.from(data)]);
        one.inputClosed = options?.eof === true;
        return Buffer.byteLength(data);
      }),
    kill: async (id) =>
      running(id, (one) => {
        kill(one);
        return view(one);
      }),
    async clear(id) {
      const one = kept.get(id);
      if (!one) return 'unknown';
      if (!one.end) return 'running';
      kept.delete(id);
      return 'cleared';
    },
    async remove(id) {
      const one = kept.get(id);
      if (!one) return 'unknown';
      if (!one.end) kill(one);
      kept.delete(id);
      return 'removed';
    },
  };
}

/** A wait that is cut short answers what there is. */
function stopped(error: unknown): void {
  if ((error as { code?: unknown }).code !== 'aborted') throw error;
}
