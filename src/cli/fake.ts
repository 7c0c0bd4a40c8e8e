/** A fake terminal and gateway for CLI tests, which record output and return given answers. */
import { PassThrough } from 'node:stream';
import type { CliIo, ConnectOptions, GatewayRunOptions } from './command.ts';
import type { GatewayLink } from './gateway-link.ts';
import { AppError } from '../core/errors.ts';
import { readEnv } from '../platform/env.ts';

/** Method → its answer, or a function of its params; `emit` sends events. */
export type Answers = Readonly<
  Record<string, unknown | ((params: any, emit: (event: string, payload: unknown) => void) => unknown)>
>;

export interface FakeTerminal extends CliIo {
  readonly lines: string[];
  readonly errors: string[];
  /** What was written without being a line. */
  written(): string;
  /** The same for standard error. */
  signs(): string;
  readonly requests: { readonly method: string; readonly params: any }[];
  readonly runs: GatewayRunOptions[];
  readonly connects: ConnectOptions[];
  readonly open: { count: number };
  interrupt(): void;
}

export function fakeTerminal({
  answers,
  stdin = '',
  vars = {},
}: {
  answers?: Answers;
  stdin?: string | PassThrough;
  vars?: Record<string, string>;
} = {}): FakeTerminal {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const interrupts = new Set<() => void>();
  const seen = {
    lines: [] as string[],
    errors: [] as string[],
    requests: [] as FakeTerminal['requests'],
    runs: [] as GatewayRunOptions[],
    connects: [] as ConnectOptions[],
    open: { count: 0 },
  };
  return {
    ...seen,
    out: (line) => void seen.lines.push(line),
    err: (line) => void seen.errors.push(line),
    stdin: typeof stdin === 'string' ? input(stdin) : stdin,
    stdout,
    stderr,
    written: () => String(stdout.read() ?? ''),
    signs: () => String(stderr.read() ?? ''),
    env: () => readEnv(vars),
    variable: (name) => vars[name] || undefined,
    onInterrupt: (listener) => {
      interrupts.add(listener);
      return () => void interrupts.delete(listener);
    },
    interrupt: () => interrupts.forEach((listener) => listener()),
    runNode: async () => 0,
    runGateway: async (options) => {
      seen.runs.push(options);
      return 0;
    },
    connect: async (options) => {
      seen.connects.push(options);
      if (!answers) throw new AppError('unavailable', 'No gateway answers at ws://127.0.0.1:18789.');
      seen.open.count += 1;
      return fakeLink(answers, seen);
    },
  };
}

function input(text: string): PassThrough {
  const stream = new PassThrough();
  stream.end(text);
  return stream;
}

function fakeLink(answers: Answers, seen: Pick<FakeTerminal, 'requests' | 'open'>): GatewayLink {
  const listeners = new Set<(event: string, payload: unknown) => void>();
  const emit = (event: string, payload: unknown): void => listeners.forEach((listener) => listener(event, payload));
  return {
    url: 'ws://127.0.0.1:18789',
    server: { version: '9.9.9' },
    async request<T>(method: string, params?: unknown): Promise<T> {
      seen.requests.push({ method, params });
      if (!Object.hasOwn(answers, method)) throw new AppError('not_found', `unknown method: ${method}`);
      const answer = answers[method];
      return (await (typeof answer === 'function' ? answer(params, emit) : answer)) as T;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      seen.open.count -= 1;
    },
  };
}
