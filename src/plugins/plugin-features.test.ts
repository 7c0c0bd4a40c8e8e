// Third-party features that cannot be used: the reason is shown in the log and the status.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { silentLog, type Log } from '../core/log.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { pluginsConfigSchema } from './config.ts';
import type { LoadedFeature } from './load.ts';
import { readyFeatures } from './plugin-features.ts';

it('one with a page of a name the Control UI has is left out, with what to do; without a page it is not', async () => {
  await using dir = await tempDir('page');
  await mkdir(join(dir.path, 'page'));
  await writeFile(join(dir.path, 'page', 'page.json'), '{ "title": "Mine" }');
  const problems: string[] = [];
  const log: Log = { ...silentLog, error: (_event, fields) => void problems.push(String(fields?.['problem'])) };
  const loaded = (id: string, folder: string): LoadedFeature => ({
    kind: 'feature',
    value: { id, summary: 's', create: () => ({}) },
    path: `/p/${id}`,
    from: id,
    folder,
  });
  const ready = async (id: string, folder: string): Promise<readonly (string | undefined)[]> =>
    (
      await readyFeatures([loaded(id, folder)], {
        config: pluginsConfigSchema.parse({}),
        log,
        taken: [],
        pages: new Set(['overview']),
      })
    ).map(({ page }) => page?.title);
  assert.deepEqual(await ready('mine', dir.path), ['Mine']);
  assert.deepEqual(await ready('overview', join(dir.path, 'page')), [undefined]);
  assert.deepEqual(problems, []);
  assert.deepEqual(await ready('overview', dir.path), []);
  assert.match(problems[0]!, /^\/p\/overview: the Control UI already has a page "overview"/);
});
