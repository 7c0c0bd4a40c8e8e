/** The bytes of a file that was given in a conversation. */
import { AppError } from '../core/errors.ts';
import type { Answers } from '../protocol/answers.ts';
import type { GatewayLink } from './gateway-link.ts';

/** Throws `AppError('too_large')` beyond `max` bytes. */
export async function fetchFile(link: GatewayLink, sessionKey: string, id: string, max = Infinity): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let [offset, bytes] = [0, 0]; ; ) {
    const { content, nextOffset } = await link.request<Answers['chat.file']>('chat.file', { sessionKey, id, offset });
    const part = Buffer.from(content, 'base64');
    bytes += part.length;
    if (bytes > max) throw new AppError('too_large', `The file ${id} is larger than ${max} bytes.`);
    parts.push(part);
    if (nextOffset === undefined || nextOffset <= offset) return Buffer.concat(parts);
    offset = nextOffset;
  }
}
