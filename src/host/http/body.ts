/** Reads a JSON request body with a size limit; the error for invalid JSON or UTF-8 names the position. */
import type { HttpRequest } from './surface.ts';
import { isUtf8 } from 'node:buffer';
import { AppError } from '../../core/errors.ts';

const DEFAULT_BODY_LIMIT = 2 * 1024 * 1024;
const MAX_DEPTH = 200;

/**
 * The body of a request as JSON. Rejects with `AppError`: `invalid` for another type or no JSON, `too_large` above
 * `limitBytes`.
 */
export async function readJson(request: HttpRequest, limitBytes = DEFAULT_BODY_LIMIT): Promise<unknown> {
  requireJsonType(request);
  return parseJson(await readBytes(request, limitBytes));
}

/** Throws `AppError('invalid')` naming the byte or the position that is wrong. */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new AppError('invalid', 'The request has no body; send a JSON object.');
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes))
    throw new AppError(
      'invalid',
      `The body is not valid UTF-8 (near byte ${Buffer.byteLength(text.slice(0, text.indexOf('\uFFFD')))}).`,
    );
  const value = parsed(text);
  if (isDeeperThan(MAX_DEPTH, value))
    throw new AppError('invalid', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // JSON.parse throws SyntaxError, and RangeError when the nesting exceeds the stack.
    throw new AppError(
      'invalid',
      `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
}

/** Level by level, because code that walks the value later is recursive. */
function isDeeperThan(limit: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((node) => (typeof node === 'object' && node !== null ? Object.values(node) : []));
  }
  return false;
}

function requireJsonType({ headers }: HttpRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding && encoding !== 'identity')
    throw new AppError('invalid', `Content-Encoding "${encoding}" is not accepted; send the body uncompressed.`);
  const type = headers['content-type'];
  if (type === undefined || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return;
  throw new AppError('invalid', `Content-Type "${type}" is not accepted; send application/json.`);
}

/** The body as it is. Rejects with `too_large`, or `aborted` when the connection ends early. */
export function readBytes({ req }: Pick<HttpRequest, 'req'>, limitBytes: number): Promise<Buffer> {
  const tooLarge = (): AppError =>
    new AppError('too_large', `The body is larger than the limit of ${limitBytes} bytes.`);
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge());
      }
    });
    req.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.once('error', (error) =>
      reject(new AppError('aborted', 'The connection ended before the body was complete.', { cause: error })),
    );
  });
}
