/** A real process swaps folders and links while HEARTBEAT.md is read: nothing of the owner comes out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECRET, swappedFixture } from '../../../test/security/files/swapper.ts';
import { createHeartbeatFile } from './heartbeat-file.ts';

const skip = process.platform === 'linux' ? false : 'only Linux tells the path of an open file';
const [CALLS, AT_ONCE] = [400, 8];

test('nothing of the owner comes out', { skip }, async () => {
  await using fixture = await swappedFixture();
  const read = createHeartbeatFile(async () => undefined);
  for (let at = 0; at < CALLS; at += AT_ONCE) {
    const found = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        read({ dir: fixture.workspace, starterFiles: false, confined: true, maxChars: 1000 }),
      ),
    );
    assert.ok(!JSON.stringify(found).includes(SECRET));
  }
});
