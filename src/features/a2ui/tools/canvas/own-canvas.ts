/** Actions on the canvas of the session: in its viewers, and in the window of the gateway if it has one. */

/** A method of the gateway the call is for. */
export type Rpc = (method: string, params: unknown) => Promise<unknown>;

/** What a call wants, its parameters checked. */
export interface Wanted {
  readonly action: 'present' | 'hide' | 'navigate' | 'eval' | 'snapshot' | 'a2ui_push' | 'a2ui_reset';
  readonly target?: string | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly url?: string | undefined;
  readonly javaScript?: string | undefined;
  readonly outputFormat?: 'png' | 'jpg' | 'jpeg' | undefined;
  readonly maxWidth?: number | undefined;
  readonly quality?: number | undefined;
  readonly delayMs?: number | undefined;
  readonly jsonl?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A picture as a node or the gateway's window made it. */
export interface Picture {
  readonly format: 'png' | 'jpeg';
  readonly base64: string;
}
export type Answer = { readonly payload: unknown } | { readonly picture: Picture };

/** What a model hears of a picture that is none. */
export const INVALID_PICTURE = 'invalid canvas.snapshot payload';

/** Where a window goes, if the call says anything about it. */
export function placementOf({ x, y, width, height }: Wanted): Readonly<Record<string, number>> | undefined {
  const input = Object.entries({ x, y, width, height }).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  );
  return input.length > 0 ? Object.fromEntries(input) : undefined;
}

/** PNG unless a JPEG is wanted, by either of its names. */
export const formatOf = ({ outputFormat }: Wanted): 'png' | 'jpeg' =>
  outputFormat === 'jpg' || outputFormat === 'jpeg' ? 'jpeg' : 'png';

export async function actionOn(wanted: Wanted, rpc: Rpc): Promise<Answer> {
  switch (wanted.action) {
    case 'present':
      return { payload: await rpc('a2ui.show', { url: wanted.target, placement: placementOf(wanted) }) };
    case 'navigate':
      return { payload: await rpc('a2ui.show', { url: wanted.url?.trim() }) };
    case 'hide':
      return { payload: await rpc('a2ui.show', { visible: false }) };
    case 'a2ui_push':
      return { payload: await rpc('a2ui.push', { jsonl: wanted.jsonl }) };
    case 'a2ui_reset':
      return { payload: await rpc('a2ui.reset', {}) };
    case 'eval': {
      const { result } = (await rpc('a2ui.eval', { javaScript: wanted.javaScript })) as { readonly result?: unknown };
      return { payload: typeof result === 'string' && result !== '' ? result : { ok: true } };
    }
    case 'snapshot': {
      const { maxWidth, quality, delayMs } = wanted;
      const format = formatOf(wanted);
      const { base64 } = (await rpc('a2ui.snapshot', { format, maxWidth, quality, delayMs })) as {
        readonly base64: string;
      };
      return { picture: { format, base64 } };
    }
  }
}
