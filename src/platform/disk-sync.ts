/**
 * Syncs files, only few at a time, because syncs on a slow disk would occupy all threads that the process uses for file
 * work.
 */
import { createSemaphore } from './semaphore.ts';

/** Something that can be synced: a `FileHandle`. */
interface Syncable {
  sync(): Promise<void>;
  datasync(): Promise<void>;
}

/** Of the four threads libuv has; the journal's log takes one more. */
const AT_ONCE = 2;

/** There is one such pool in a process, so there is one count of who is in it. */
const syncs = createSemaphore(AT_ONCE);

/** Content and size, and what else is needed to read it again. */
export const syncData = (file: Syncable): Promise<void> => syncs.run(() => file.datasync());

/** All that is known of it: for folders, and for files that get another name afterwards. */
export const syncAll = (file: Syncable): Promise<void> => syncs.run(() => file.sync());
