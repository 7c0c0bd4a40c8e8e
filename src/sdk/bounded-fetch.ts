/** A `fetch` for model answers that limits the response size, before and after decompression. */
import { AppError } from '../core/errors.ts';
import { lightFetch } from '../platform/net/fetch/light-fetch.ts';

/** Of one answer, unpacked. The longest there are have some megabytes; pictures come as text of a few times that. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Limit without a line feed, because the buffer is searched again with every chunk. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** Reads like `fetch`; the body fails with `AppError('too_large')` where the server does not stop. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const light = await lightFetch(input, init, { watch: bound });
  if (light) return light;
  const response = await fetch(input, init);
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(through(bound())), { status, statusText, headers });
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
};

/** Throws at a piece that is too much. */
function bound(): (piece: Uint8Array) => void {
  let [bytes, line] = [0, 0];
  return (piece) => {
    bytes += piece.byteLength;
    const end = piece.lastIndexOf(LINE_FEED);
    line = end === -1 ? line + piece.byteLength : piece.byteLength - end - 1;
    if (bytes > MAX_BYTES) throw tooLarge(`more than ${MAX_BYTES / 1024 / 1024} MB`);
    if (line > MAX_LINE_BYTES) throw tooLarge(`a line of more than ${MAX_LINE_BYTES / 1024 / 1024} MB`);
  };
}

function through(
  watch: (piece: Uint8Array) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(piece, controller) {
      watch(piece);
      controller.enqueue(piece);
    },
  });
}

const tooLarge = (what: string): AppError =>
  new AppError('too_large', `The model's server sent ${what} in one answer; the rest was not read.`);
