/** The reference pages are up to date with the code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

for (const [pages, script] of [
  ['docs/reference', 'scripts/reference.mjs'],
  ['the pages of channels, providers and tools', 'scripts/docs-pages.mjs'],
] as const)
  test(`${pages} are what ${script} would write`, async () => {
    await assert.doesNotReject(
      promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', script, '--check']),
    );
  });
