/** Records open pages on disk, so that a session learns which pages were lost when the gateway was killed. */
import { parseJson } from '../../../core/parse-json.ts';
import { join } from 'node:path';
import { readTextIfExists, removeIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import { onFailure } from '../../../platform/settled.ts';

export interface OpenPage {
  readonly key: string;
  readonly url: string;
}

export interface OpenPages {
  set(targetId: string, page: OpenPage): void;
  delete(targetId: string): void;
  all(): readonly OpenPage[];
  /** Removes all records, also on disk. */
  clear(): Promise<void>;
  /** The pages recorded by an earlier instance of the gateway; they stay on disk until another page opens. */
  earlier(): Promise<readonly OpenPage[]>;
}

/**
 * `folder`: undefined disables the file. `failed`: called when the file could not be written; nobody waits for the
 * write.
 */
export function createOpenPages(folder: string | undefined, failed: () => void): OpenPages {
  const path = folder === undefined ? undefined : join(folder, 'open-pages.json');
  const pages = new Map<string, OpenPage>();
  const queue = createSerialQueue();
  const state = { due: false };
  const write = (): void => {
    if (state.due || path === undefined) return;
    state.due = true;
    const writing = queue.run(async () => {
      state.due = false;
      await writeFileAtomic(path, JSON.stringify([...pages.values()]), { sync: false });
    });
    onFailure(writing, failed);
  };
  return {
    set(targetId, page) {
      pages.set(targetId, page);
      write();
    },
    delete: (targetId) => void (pages.delete(targetId) && write()),
    all: () => [...pages.values()],
    async clear() {
      pages.clear();
      if (path !== undefined) await queue.run(() => removeIfExists(path));
    },
    earlier: async () => readPages(path === undefined ? undefined : await readTextIfExists(path)),
  };
}

function readPages(text: string | undefined): readonly OpenPage[] {
  // The file is incomplete because the gateway was killed: the pages are then unknown.
  const read = parseJson(text ?? '[]');
  if (!Array.isArray(read)) return [];
  return read.filter(
    (one): one is OpenPage => typeof one?.key === 'string' && typeof (one as OpenPage).url === 'string',
  );
}
