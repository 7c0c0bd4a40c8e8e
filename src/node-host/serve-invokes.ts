/** Runs the commands of the gateway, each once, and sends the results in chunks. */
import { asAppError } from '../core/errors.ts';
import { setNewest } from '../core/bounded-map.ts';
import { present } from '../core/present.ts';
import type { GatewayConnection } from '../gateway/client.ts';
import { NodeError, type NodeCommand } from './offer.ts';

/** What the gateway asks. */
export interface InvokeRequest {
  readonly id: string;
  readonly nodeId: string;
  readonly command: string;
  readonly paramsJSON?: string;
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
  readonly requester?: string;
}

/** How a command ended, as it is sent. */
type Outcome =
  | { readonly ok: true; readonly payloadJSON: string }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

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

/** The gateway takes pieces of at most 16 Ki characters, and results in one message up to its frame. */
const PIECE_CHARS = 16_384;
const WHOLE_CHARS = 256 * 1024;
/** Pieces that are on their way at once. */
const WINDOW = 16;
const REMEMBERED = 100;
const DEFAULT_TIMEOUT_MS = 30_000;

export function createInvokeServer({ commands, note }: InvokeServerDeps): InvokeServer {
  /** By key: asked again, e.g. by a gateway that came back, a command is not run again. */
  const begun = new Map<string, Promise<Outcome>>();
  const running = new Map<string, AbortController>();
  const open = new Set<Promise<void>>();

  async function run(request: InvokeRequest): Promise<Outcome> {
    const { id, command, paramsJSON, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
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
    await send(request, await outcome, link).catch((error: unknown) =>
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

const failed = (code: string, message: string): Outcome => ({ ok: false, error: { code, message } });

async function send(
  { id, nodeId }: InvokeRequest,
  outcome: Outcome,
  link: Pick<GatewayConnection, 'call'>,
): Promise<void> {
  if (!outcome.ok || outcome.payloadJSON.length <= WHOLE_CHARS) {
    await link.call('node.invoke.result', { id, nodeId, ...outcome });
    return;
  }
  const text = outcome.payloadJSON;
  const under = new Set<Promise<unknown>>();
  for (let seq = 0; seq * PIECE_CHARS < text.length; seq += 1) {
    const chunk = text.slice(seq * PIECE_CHARS, (seq + 1) * PIECE_CHARS);
    const sent = link
      .call<{ readonly ignored?: boolean }>('node.invoke.progress', { invokeId: id, nodeId, seq, chunk })
      .finally(() => under.delete(sent));
    under.add(sent);
    // Not more than the gateway answers: a slow one is not flooded, and one that gave up is left alone.
    if (under.size >= WINDOW && ((await Promise.race(under)) as { ignored?: boolean }).ignored) break;
  }
  await Promise.all(under);
  await link.call('node.invoke.result', { id, nodeId, ok: true });
}
