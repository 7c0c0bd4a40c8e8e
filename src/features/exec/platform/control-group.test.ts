/** Groups that another gateway on this machine made: kept while it lives, removed when it is gone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { statIfExists } from '../../../platform/files.ts';
import { findControlGroups } from './control-group.ts';

const FOLDER = (await statIfExists('/sys/fs/cgroup/pids/cgroup.procs')) ? '/sys/fs/cgroup/pids' : '/sys/fs/cgroup';
const skip = (await findControlGroups()) ? false : 'no control groups can be made here; that takes root on Linux';

describe('the sweep of control groups', { skip }, () => {
  it('keeps an empty group of a living process, and removes that of one that is gone', async () => {
    const gone = spawnSync('true').pid;
    const [living, left] = [process.ppid, gone].map((pid) => join(FOLDER, `clawdbot-box-${pid}-test`)) as [
      string,
      string,
    ];
    await mkdir(living);
    await mkdir(left);
    try {
      await findControlGroups();
      assert.ok(await statIfExists(living), 'its gateway is about to fill it');
      assert.equal(await statIfExists(left), undefined);
    } finally {
      await rmdir(living);
    }
  });
});
