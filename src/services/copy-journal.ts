/** Copies the journal to a file in the state directory, for programs that may not open the journal itself. */
import { join } from 'node:path';
import type { Journal } from '../journal/journal.ts';
import { ensureDir } from '../platform/files.ts';
import { uuid } from '../platform/ids.ts';

export interface CopyJournalDeps {
  readonly journal: Pick<Journal, 'copy'>;
  readonly stateDir: string;
}

/** Answers the path of the copy. */
export async function copyJournal({ journal, stateDir }: CopyJournalDeps): Promise<string> {
  const folder = join(stateDir, 'tmp');
  await ensureDir(folder);
  const path = join(folder, `journal-${uuid()}.sqlite`);
  await journal.copy(path);
  return path;
}
