/** Downloads a file from the gateway, part by part. */
import type { Answers } from '../../../src/protocol/answers.ts';
import type { AnswerFile } from './items.ts';

export interface FileSource {
  readonly sessionKey: string;
  request(method: 'chat.file', params: object): Promise<Answers['chat.file']>;
}

/**
 * `onShare`: called with the progress from 0 to 1. The blob has the media type from the gateway, for players and
 * pictures.
 */
export async function fetchFile(
  { id, mime }: Pick<AnswerFile, 'id' | 'mime'>,
  { sessionKey, request }: FileSource,
  onShare: (share: number) => void = () => {},
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let offset = 0; ; ) {
    const part = await request('chat.file', { sessionKey, id, offset });
    parts.push(bytesOf(part.content));
    if (part.nextOffset === undefined || part.nextOffset <= offset) return new Blob(parts, { type: mime });
    offset = part.nextOffset;
    onShare(Math.min(1, offset / part.size));
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
