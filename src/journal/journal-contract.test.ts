/** Both journals do what a journal does: the one over SQLite, and its twin in memory, fast and slow. */
import { journalContract } from '../testing/journal-contract/index.ts';
import { memoryStage, sqliteStage } from '../testing/journal-harness.ts';

journalContract('the journal over SQLite', sqliteStage);
journalContract('its twin in memory', memoryStage());
journalContract(
  'a store that takes its time',
  memoryStage(() => new Promise((resolve) => setImmediate(resolve))),
);
