/** Actions on the canvas of a node: each is one command of the node protocol. */
import { AppError, present } from '../../../../sdk/index.ts';
import type { ChosenNode } from './choose-node.ts';
import { formatOf, INVALID_PICTURE, placementOf, type Answer, type Rpc, type Wanted } from './own-canvas.ts';

/** Each call of a node may be sent again: the node knows it by this key. */
const freshKey = (): string => globalThis.crypto.randomUUID();

/** Runs the action there. Throws what the node refuses, and `bad_response` for a picture that is none. */
export async function callNode({ nodeId }: ChosenNode, wanted: Wanted, rpc: Rpc): Promise<Answer> {
  const [command, params] = commandOf(wanted);
  const { timeoutMs } = wanted;
  const answer = await rpc('node.invoke', {
    nodeId,
    command,
    params,
    ...present({ timeoutMs }),
    idempotencyKey: freshKey(),
  });
  const payload = payloadOf(answer);
  if (wanted.action === 'snapshot') return { picture: pictureOf(payload) };
  if (wanted.action !== 'eval') return { payload: { ok: true } };
  const { result } = (payload ?? {}) as { readonly result?: unknown };
  return { payload: typeof result === 'string' && result !== '' ? result : { ok: true } };
}

/** Nodes answer with an object, or with its JSON. */
function payloadOf(answer: unknown): unknown {
  const { payload, payloadJSON } = (answer ?? {}) as { readonly payload?: unknown; readonly payloadJSON?: unknown };
  if (payload !== undefined || typeof payloadJSON !== 'string') return payload;
  try {
    return JSON.parse(payloadJSON);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new AppError('bad_response', 'The node answered with broken JSON.', { cause: error });
    throw error;
  }
}

function pictureOf(payload: unknown) {
  const { format, base64 } = (payload ?? {}) as { readonly format?: unknown; readonly base64?: unknown };
  const known = format === 'png' ? 'png' : format === 'jpeg' || format === 'jpg' ? 'jpeg' : undefined;
  if (known === undefined || typeof base64 !== 'string' || base64 === '')
    throw new AppError('bad_response', INVALID_PICTURE);
  return { format: known, base64 } as const;
}

function commandOf(wanted: Wanted): readonly [command: string, params: object] {
  switch (wanted.action) {
    case 'present': {
      const [url, placement] = [wanted.target?.trim(), placementOf(wanted)];
      return ['canvas.present', present({ url: url || undefined, placement })];
    }
    case 'hide':
      return ['canvas.hide', {}];
    case 'navigate':
      return ['canvas.navigate', { url: wanted.url?.trim() }];
    case 'eval':
      return ['canvas.eval', { javaScript: wanted.javaScript }];
    case 'snapshot': {
      const { maxWidth, quality } = wanted;
      return ['canvas.snapshot', present({ format: formatOf(wanted), maxWidth, quality })];
    }
    case 'a2ui_push':
      return ['canvas.a2ui.pushJSONL', { jsonl: wanted.jsonl }];
    case 'a2ui_reset':
      return ['canvas.a2ui.reset', {}];
  }
}
