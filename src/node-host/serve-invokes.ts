/** Runs the commands of the gateway, each once, and sends the results in chunks. */
import { asAppError } from '../core/errors.ts';
import { setNewest } from '../core/bounded-map.ts';
import { present } from '../core/present.ts';
import type { GatewayConnection } from '../gateway/client.ts';
import {
  INVOKE_TIMEOUT_MS,
  PIECE_CHARS,
  sendOutcome,
  type InvokeOutcome,
  type InvokeRequest,
} from '../protocol/node-invoke.ts';
import { NodeError, type NodeCommand } from './offer.ts';

export interface InvokeServer {
  /** Never rejects; `link` may be gone before it has ended. */
  serve(request: InvokeRequest, link: Pick<GatewayConnection, 'call'>): Promise<void>;
  cancel(id: string): void;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

export interface InvokeServerDeps {
  readonly commands: Readonly<Record<string, NodeCommand>>;
  /** One line for the person who runs the node. */
  note(line: string): void;
}

const REMEMBERED = 100;

export function createInvokeServer({ commands, note }: InvokeServerDeps): InvokeServer {
  /** By key: asked again, e.g. by a gateway that came back, a command is not run again. */
  const begun = new Map<string, Promise<InvokeOutcome>>();
  const running = new Map<string, AbortController>();
  const open = new Set<Promise<void>>();

  async function run(request: InvokeRequest): Promise<InvokeOutcome> {
    const { id, command, paramsJSON, timeoutMs = INVOKE_TIMEOUT_MS } = request;
    const work = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (!work) return failed('INVALID_REQUEST', `unknown command: ${command}`);
    const stop = new AbortController();
    running.set(id, stop);
    note(`${command}${request.requester ? ` for ${request.requester}` : ''}`);
    try {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]);
      const payload = await work(paramsJSON === undefined ? {} : JSON.parse(paramsJSON), { signal, timeoutMs });
      return { ok: true, payloadJSON: JSON.stringify(payload ?? null) };
    } catch (error) {
      // The fourth place that catches everything: one command must not end the node.
      if (error instanceof NodeError) return failed(error.code, error.message);
      return failed('UNAVAILABLE', asAppError(error).message);
    } finally {
      running.delete(id);
    }
  }

  async function serve(request: InvokeRequest, link: Pick<GatewayConnection, 'call'>): Promise<void> {
    const key = request.idempotencyKey ?? request.id;
    const outcome = begun.get(key) ?? setNewest(begun, key, run(request), REMEMBERED);
    await sendOutcome(request, await outcome, link).catch((error: unknown) =>
      note(`${request.command}: the result was not delivered (${asAppError(error).message})`),
    );
    // Pictures are not kept.
    const { ok, payloadJSON = '' } = present(await outcome) as { ok: boolean; payloadJSON?: string };
    if (!ok || payloadJSON.length > PIECE_CHARS) begun.delete(key);
  }

  return {
    serve(request, link) {
      const served = serve(request, link).finally(() => open.delete(served));
      open.add(served);
      return served;
    },
    cancel: (id) => running.get(id)?.abort(),
    async stop() {
      for (const one of running.values()) one.abort();
      await Promise.all(open);
    },
  };
}

const failed = (code: string, message: string): InvokeOutcome => ({ ok: false, error: { code, message } });
