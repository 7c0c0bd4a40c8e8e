/** Which files only the administrator can change: what approvals and sandboxes trust rests on it. */
import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { tempDir } from '../../../testing/temp-dir.ts';
import { isAdministered } from './administered.ts';

test("what somebody else may write, or put in a folder on the way, is not the administrator's", async () => {
  await using dir = await tempDir('administered');
  await mkdir(`${dir.path}/open/inner`, { recursive: true });
  await writeFile(`${dir.path}/open/inner/program`, '');
  await chmod(`${dir.path}/open`, 0o777);
  await symlink('/usr', `${dir.path}/link`);
  for (const path of ['open', 'open/inner', 'open/inner/program', 'open/nothing', 'link', 'link/bin'])
    assert.equal(await isAdministered(`${dir.path}/${path}`), false, path);
  for (const path of ['', 'usr/bin', './usr']) assert.equal(await isAdministered(path), false, path);
});

test("the system's own folders are, also what is not there yet", {
  skip: process.platform !== 'linux' && 'known for Linux only',
}, async () => {
  for (const path of ['/', '/usr', '/etc/passwd', '/usr/nothing/at/all'])
    assert.equal(await isAdministered(path), true, path);
});
