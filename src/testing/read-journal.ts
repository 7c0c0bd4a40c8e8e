/** Reads the journal of a running gateway from a copy, because the gateway locks the file. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What `read` makes of the journal in `stateDir`, as it stands on disk at this moment. */
export function readJournal<T>(stateDir: string, read: (db: DatabaseSync) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'clawdbot-journal-'));
  try {
    for (const end of ['', '-wal']) {
      const path = join(stateDir, `journal.sqlite${end}`);
      // Read and not copied: the system call behind a copy never ends when the file gets shorter meanwhile.
      if (existsSync(path)) writeFileSync(join(folder, `journal.sqlite${end}`), readFileSync(path));
    }
    const db = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
    try {
      return read(db);
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
