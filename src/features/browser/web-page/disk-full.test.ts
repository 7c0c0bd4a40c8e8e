/** Downloads when the disk of the browser or of the recipient is full: on real file systems. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../testing/until.ts';
import { openHarness, skipWithoutChromium, type Harness } from '../harness.ts';

/** Mounting requires root and support of the kernel; a container may have neither. */
const MOUNTS = 'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"; r=$?; rmdir "$d"; exit $r';
const skip = skipWithoutChromium || (!canMount() && 'no file system can be mounted here');

describe('a download and a full disk', { skip }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness();
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/` });
  });
  after(() => h[Symbol.asyncDispose]());

  /** The outcome of a download of two megabytes into a file system of one megabyte. */
  async function downloaded(folder: string): Promise<string> {
    await mkdir(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    try {
      const before = h.core.downloads.all().length;
      await h.act({ kind: 'evaluate', fn: 'location.href = "/large.bin"' });
      const one = await until(() => {
        const all = h.core.downloads.all();
        return all.length > before && all[0]!.state !== 'running' ? all[0] : undefined;
      });
      assert.equal(one.state, 'failed');
      assert.deepEqual(await readdir(folder), [], 'nothing of it is left');
      return one.why!;
    } finally {
      execFileSync('umount', ['-l', folder]);
    }
  }

  test('the folder of the session is full: the result says so, and the next download works', async () => {
    const why = await downloaded(join(h.folder, 'files', 'me'));
    assert.match(why, /disk is full; free some space/);
    assert.deepEqual(await readdir(join(h.folder, 'browser', 'clawd', 'artifacts')), []);
    await h.act({ kind: 'evaluate', fn: 'location.href = "/large.bin"' });
    await until(() => h.core.downloads.all()[0]?.state === 'saved');
  });

  test('the folder of the browser is full: the result says that it may be, and nothing is left', async () => {
    const why = await downloaded(join(h.folder, 'browser', 'clawd', 'artifacts'));
    assert.match(why, /"large\.bin" was cut short \(canceled\): by the server, or because the disk is full/);
  });
});

function canMount(): boolean {
  try {
    execFileSync('sh', ['-c', MOUNTS], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as { status?: number }).status === undefined) throw error;
    return false;
  }
}
