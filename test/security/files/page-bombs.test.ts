// PDF pages with too many pixels: the renderer is never asked for more than its limit.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../../src/core/log.ts';
import { renderPages } from '../../../src/documents/pdf/render-pages.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';

const MAX_PIXELS = 1_000_000;
const PAGES = [
  [612, 792],
  [2384, 3370],
  [14_400, 14_400],
  [200_000, 200_000],
  [1e7, 1e7],
  [1e-9, 1e9],
  [1, 1e6],
  [Infinity, 10],
] as const;

test('no page is drawn with more pixels than allowed, whatever size it says it has', {
  skip: process.platform === 'win32',
}, async (t) => {
  await using dir = await tempDir('pages');
  await writeFile(join(dir.path, 'pdftoppm'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  let drawn = 0;
  for (const [width, height] of PAGES) {
    const images = await renderPages(Buffer.from('%PDF'), {
      pageSizes: [{ width, height }],
      maxPixels: MAX_PIXELS,
      timeoutMs: 10_000,
      vars: { PATH: `${dir.path}:/usr/bin:/bin` },
      signal: t.signal,
      log: silentLog,
    });
    const [args] = images.map(({ data }) => Buffer.from(data).toString());
    if (args === undefined) continue;
    drawn++;
    const dpi = Number(/-r (\d+)/.exec(args)![1]);
    assert.ok(
      (width / 72) * dpi * (height / 72) * dpi <= MAX_PIXELS * 1.01 && dpi >= 1,
      `${width} × ${height} at ${dpi}`,
    );
    assert.match(args, /-cropbox/, 'what was measured is what is drawn');
  }
  assert.ok(drawn >= 4, 'letters and posters are drawn');
  t.diagnostic(`files, page bombs: ${PAGES.length}/${PAGES.length} within bounds (${drawn} drawn)`);
});
