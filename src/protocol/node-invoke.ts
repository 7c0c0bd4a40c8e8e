/** A command of a node on the wire: what the gateway asks, how it ends, and a long result in pieces. */

/** What the gateway asks (`node.invoke.request`). */
export interface InvokeRequest {
  readonly id: string;
  readonly nodeId: string;
  readonly command: string;
  readonly paramsJSON?: string;
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
  /** In words; sent to nodes with the capability `requester`. */
  readonly requester?: string;
}

/** How a command ended. */
export type InvokeOutcome =
  | { readonly ok: true; readonly payloadJSON: string }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** Milliseconds a command may take where the request names none. */
export const INVOKE_TIMEOUT_MS = 30_000;

/** Characters of one piece (`node.invoke.progress`). */
export const PIECE_CHARS = 16_384;

/** Results up to here go in one message. */
const WHOLE_CHARS = 256 * 1024;
/** Pieces that are on their way at once. */
const WINDOW = 16;

interface Caller {
  call<T>(method: string, params?: unknown): Promise<T>;
}

interface Received {
  readonly ignored?: boolean;
}

/** Sends the outcome to the gateway. Rejects as `link` does. */
export async function sendOutcome(
  { id, nodeId }: Pick<InvokeRequest, 'id' | 'nodeId'>,
  outcome: InvokeOutcome,
  link: Caller,
): Promise<void> {
  if (!outcome.ok || outcome.payloadJSON.length <= WHOLE_CHARS) {
    await link.call('node.invoke.result', { id, nodeId, ...outcome });
    return;
  }
  const text = outcome.payloadJSON;
  const under = new Set<Promise<Received>>();
  for (let seq = 0; seq * PIECE_CHARS < text.length; seq += 1) {
    const chunk = text.slice(seq * PIECE_CHARS, (seq + 1) * PIECE_CHARS);
    const sent = link
      .call<Received>('node.invoke.progress', { invokeId: id, nodeId, seq, chunk })
      .finally(() => under.delete(sent));
    under.add(sent);
    // Not more than the gateway answers: a slow one is not flooded, and one that gave up is left alone.
    if (under.size >= WINDOW && (await Promise.race(under)).ignored) break;
  }
  await Promise.all(under);
  await link.call('node.invoke.result', { id, nodeId, ok: true });
}
