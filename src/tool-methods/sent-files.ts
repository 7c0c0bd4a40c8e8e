/** Selects the files a message still has to include: those the turn already sent to the same chat are left out. */
import { basename } from 'node:path';
import { AppError } from '../core/errors.ts';
import type { ChatAddress } from '../core/message.ts';
import { sentInto, wasSaid, type MessageSendRequest, type MessageSent } from '../core/message-tool.ts';
import type { MediaRef } from '../core/reply.ts';
import { createKeyedQueue } from '../platform/keyed-queue.ts';
import { loadOnce } from '../platform/load-once.ts';
import { fileMark } from '../pipeline/outbound/reply-media.ts';

type Files = Pick<MessageSendRequest, 'media' | 'files'>;

/** `marks`: of the files that go; `repeated`: the names of those that do not. */
export interface Unsent extends Files {
  readonly marks: readonly string[];
  readonly repeated: readonly string[];
}

/** Of one turn. `before` tells what it sent in an earlier run; it is asked once, before the first message. */
export function createSentFiles(before: () => Promise<readonly MessageSent[]>) {
  const sending = createKeyedQueue();
  const sent: MessageSent[] = [];
  const recalled = loadOnce(async () => void sent.unshift(...(await before())));

  return {
    /**
     * Calls of one answer run side by side; those to one place wait for each other, so that the second knows what the
     * first sent.
     */
    oneByOne: <T>(address: ChatAddress, work: () => Promise<T>): Promise<T> =>
      sending.run(JSON.stringify([address.channel, address.accountId, address.chat.id, address.threadId]), async () => {
        await recalled.get();
        return work();
      }),
    unsent(address: ChatAddress, { media = [], files = [] }: Files): Unsent {
      const known = new Set(sentInto(address, sent).flatMap((one) => one.media ?? []));
      const all = [
        ...media.map((file) => ({ file, mark: markOf(file), name: nameOf(file) })),
        ...files.map((file) => ({ file, mark: fileMark(file.data), name: file.name ?? 'a file' })),
      ];
      const fresh = all.filter(({ mark }) => !known.has(mark));
      const left = new Set<unknown>(fresh.map(({ file }) => file));
      return {
        media: media.filter((file) => left.has(file)),
        files: files.filter((file) => left.has(file)),
        marks: fresh.map(({ mark }) => mark),
        repeated: all.filter(({ mark }) => known.has(mark)).map(({ name }) => name),
      };
    },
    said: (address: ChatAddress, text: string): boolean =>
      wasSaid(
        text,
        sentInto(address, sent).filter(({ media }) => media !== undefined),
      ),
    add: (one: MessageSent): void => void sent.push(one),
  };
}

const markOf = (file: MediaRef): string => (file.from === 'url' ? file.url : file.path);
const nameOf = (file: MediaRef): string =>
  (file.name ?? basename(file.from === 'url' ? new URL(file.url).pathname : file.path)) || 'a file';

/** It has left, or will by itself: the outbox keeps it. */
export const staysInOutbox = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'timeout' || error.details?.['waiting'] === true);
