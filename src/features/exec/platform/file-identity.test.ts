// Which file a path names, and what is in it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '../../../testing/temp-dir.ts';
import { digestOf, identityOf } from './file-identity.ts';
import { sha256Hex } from '../../../platform/ids.ts';

describe('identity of files', () => {
  it('is the file behind the name', async () => {
    await using dir = await tempDir('identity');
    const at = (name: string): string => join(dir.path, name);
    await writeFile(at('a'), 'abc');
    await writeFile(at('b'), 'abc');
    await symlink(at('a'), at('s'));
    await link(at('a'), at('h'));
    await mkdir(at('d'));
    await symlink(at('loop'), at('loop'));
    const [a, b, s, h, d] = await Promise.all(['a', 'b', 's', 'h', 'd'].map((name) => identityOf(at(name))));
    assert.deepEqual([a?.kind, a?.size, d?.kind], ['file', 3, 'directory']);
    assert.deepEqual([s?.id, h?.id], [a?.id, a?.id]);
    assert.notEqual(a?.id, b?.id);
    for (const nothing of ['none', 'a/below', 'loop', 'n'.repeat(5000)])
      assert.equal(await identityOf(at(nothing)), undefined, nothing.slice(0, 10));
  });

  it('the digest is of the whole content, whatever the size', async () => {
    await using dir = await tempDir('identity');
    for (const size of [0, 1, 256 * 1024, 3_000_001]) {
      const path = join(dir.path, String(size));
      const data = randomBytes(size);
      await writeFile(path, data);
      assert.equal(await digestOf(path), sha256Hex(data));
    }
    assert.deepEqual([await digestOf(join(dir.path, 'none')), await digestOf(dir.path)], [undefined, undefined]);
  });
});
