/** The contract suite of journals, run against each implementation. */
import { describe } from 'node:test';
import type { OpenJournalFixture } from '../journal-harness.ts';
import { messageContract } from './messages.ts';
import { outboxContract } from './outbox.ts';
import { pruneContract } from './prune.ts';
import { redoContract } from './session-entries.ts';
import { timelineContract } from './timeline.ts';
import { turnContract } from './turns.ts';
import { understandingContract } from './understanding.ts';

export function journalContract(name: string, open: OpenJournalFixture): void {
  describe(name, () => {
    messageContract(open);
    turnContract(open);
    outboxContract(open);
    redoContract(open);
    timelineContract(open);
    understandingContract(open);
    pruneContract(open);
  });
}
