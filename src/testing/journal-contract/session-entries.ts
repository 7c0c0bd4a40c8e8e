/** Contract of journals: session entries that are newer than the file. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenJournalFixture } from '../journal-harness.ts';

export function redoContract(open: OpenJournalFixture): void {
  describe('session entries', () => {
    it('go forward only and go away when the file has them', async () => {
      await using s = await open();
      const { redo } = s.journal;
      const row = (version: number, key = 'k') => ({
        agentId: 'main',
        key,
        entry: version % 2 === 0 ? null : `{"v":${version}}`,
        version,
      });
      for (const version of [2, 1]) await redo.record(row(version), { sync: true });
      await redo.record(row(3, 'l'), { sync: false });
      await redo.synced();
      assert.deepEqual(
        [await redo.load('main'), await redo.load('work'), await redo.topVersion()],
        [[row(2), row(3, 'l')], [], 3],
      );
      await redo.clear('main', 2);
      assert.deepEqual(await redo.load('main'), [row(3, 'l')]);
    });
  });
}
