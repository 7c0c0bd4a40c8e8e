/** JSON-RPC over standard input and output of `imsg rpc`, one object per line. */
import {
  parseJson,
  AppError,
  head,
  orAborted,
  orTimeout,
  startProgram,
  type Program,
  type ProgramRequest,
} from '../../sdk/index.ts';

export interface ImsgRpc extends AsyncDisposable {
  call(method: string, params?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<unknown>;
  readonly ended: Program['ended'];
}

export interface RpcHandlers {
  onNotification(method: string, params: Readonly<Record<string, unknown>>): void;
  onAlive(): void;
  onMalformed(bytes: number): void;
}

interface RpcFailure {
  readonly code?: number;
  readonly message?: string;
  readonly data?: { readonly retry_safe?: boolean; readonly detail?: string } | string;
}

const CALL_MS = 60_000;

export async function openImsgRpc(
  program: Pick<ProgramRequest, 'command' | 'args' | 'pass'>,
  handlers: RpcHandlers,
): Promise<ImsgRpc> {
  const waiting = new Map<string, PromiseWithResolvers<unknown> & { readonly method: string }>();
  const state = { count: 0, over: false };
  const child = await startProgram({ ...program, onLine: (line) => read(line) });
  void child.ended.then(() => {
    state.over = true;
    for (const { reject, method } of waiting.values())
      reject(new AppError('network', `imsg ended before it answered ${method}.`));
    waiting.clear();
  });

  function read(line: string): void {
    const message = parsed(line);
    if (!message) return handlers.onMalformed(line.length);
    handlers.onAlive();
    const { id, method, params, result, error } = message;
    if (typeof method === 'string') return handlers.onNotification(method, params ?? {});
    const one = waiting.get(String(id));
    waiting.delete(String(id));
    if (error) one?.reject(rpcError(one.method, error));
    else one?.resolve(result);
  }

  return {
    ended: child.ended,
    async call(method, params = {}, signal) {
      const id = String(++state.count);
      const answer = { ...Promise.withResolvers<unknown>(), method };
      if (state.over) throw new AppError('unavailable', 'imsg does not run.');
      waiting.set(id, answer);
      try {
        if (!child.write(JSON.stringify({ jsonrpc: '2.0', id, method, params })))
          throw new AppError('unavailable', 'imsg does not read requests any more.');
        const late = () => new AppError('timeout', `imsg did not answer ${method} in time.`);
        return await orAborted(orTimeout(answer.promise, { ms: CALL_MS, error: late }), signal);
      } finally {
        waiting.delete(id);
      }
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

interface RpcMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: RpcFailure;
}

function parsed(line: string): RpcMessage | undefined {
  const message = parseJson(line);
  return typeof message === 'object' && message !== null ? message : undefined;
}

const BUSY = -32_000;
const MAY_HAVE_COMPLETED = -32_001;
const NO_DATABASE = -32_002;
const NO_BRIDGE = -32_003;
const BLOCKED = -32_004;

export const ACCESS_FIX =
  'On the Mac, give Full Disk Access (System Settings, Privacy & Security) to the program that starts imsg: the ' +
  'terminal, the gateway, or sshd-keygen-wrapper for ssh.';

function rpcError(method: string, { code, message = 'no reason given', data }: RpcFailure): AppError {
  const detail = typeof data === 'string' ? data : (data?.detail ?? '');
  const said = head([message, detail].filter(Boolean).join(': '), 300);
  if (code === MAY_HAVE_COMPLETED) return new AppError('network', `Messages did not confirm ${method}: ${said}`);
  if (code === NO_DATABASE) return new AppError('unavailable', `imsg cannot read Messages: ${said} ${ACCESS_FIX}`);
  if (code === BUSY) return new AppError('rate_limited', `imsg is busy: ${said}`, { retryAfterMs: 2000 });
  if (code === BLOCKED) return new AppError('unavailable', `imsg waits for an earlier message: ${said}`);
  if (typeof data === 'object' && data.retry_safe === true)
    return new AppError('unavailable', `imsg ${method}: ${said}`);
  if (code === NO_BRIDGE || code === -32_601 || /bridge|imsg launch|private api/i.test(said))
    return new AppError(
      'unsupported',
      `${method} needs the bridge into Messages: run \`imsg launch\` on the Mac. (${said})`,
    );
  if (/not authori[sz]ed|automation|apple ?events|-1743/i.test(said))
    return new AppError(
      'denied',
      `macOS does not let imsg control Messages: allow it under Privacy & Security, Automation. (${said})`,
    );
  if (/no such|not found|unknown chat|does not exist/i.test(said))
    return new AppError('not_found', `imsg ${method}: ${said}`);
  if (/not registered|unreachable|not (?:on|an) imessage|invalid recipient/i.test(said))
    return new AppError('denied', `The message cannot be delivered: ${said}`);
  return code === -32_602
    ? new AppError('invalid', `imsg refused ${method}: ${said}`)
    : new AppError('network', `imsg could not finish ${method}: ${said}`);
}
