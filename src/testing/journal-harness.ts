/** A journal at a time the test sets; `reopen` is what a crash and a new start do. */
import { join } from 'node:path';
import { createJournal, type Journal } from '../journal/journal.ts';
import { tempDir } from './temp-dir.ts';

export async function journalHarness() {
  const dir = await tempDir('journal');
  const time = { now: 1000 };
  const open = (): Journal => createJournal({ path: join(dir.path, 'journal.sqlite'), now: () => time.now });
  const state = { journal: open() };
  return {
    time,
    get journal() {
      return state.journal;
    },
    async reopen() {
      await state.journal.close();
      state.journal = open();
    },
    async [Symbol.asyncDispose]() {
      await state.journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}
