/** Runs the contract suite against both journals: SQLite, and the in-memory twin, fast and slow. */
import { journalContract } from '../testing/journal-contract/index.ts';
import { memoryFixture, sqliteFixture } from '../testing/journal-harness.ts';

journalContract('the journal over SQLite', sqliteFixture());
journalContract('its twin in memory', memoryFixture());
journalContract(
  'a store that takes its time',
  memoryFixture(() => new Promise((resolve) => setImmediate(resolve))),
);
