// Settings from the environment: beneath what the file says, within the same bounds.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { lintConfig } from './lint.ts';
import { createConfigStore } from './create-store.ts';
import { silentLog } from '../core/log.ts';
import { readEnv } from '../platform/env.ts';
import { configSchema, settingRules } from '../testing/whole-schema.ts';
import { tempDir } from '../testing/temp-dir.ts';

async function load(file: object, vars: Record<string, string> = {}) {
  await using dir = await tempDir('env-settings');
  await writeFile(join(dir.path, 'clawdbot.json'), JSON.stringify(file));
  await using store = await createConfigStore({
    schema: configSchema,
    rules: settingRules,
    lint: lintConfig,
    env: readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, ...vars }),
    log: silentLog,
  });
  const { config, warnings, valid } = store.snapshot();
  const { backgroundMs, cleanupMs, outputMaxChars, timeoutSec } = config.tools['exec'] as Record<string, unknown>;
  return { valid, found: { backgroundMs, cleanupMs, outputMaxChars, timeoutSec }, warnings };
}
const DEFAULTS = { backgroundMs: 10_000, cleanupMs: 1_800_000, outputMaxChars: 30_000, timeoutSec: 1800 };

test('PI_BASH_* count where the file says nothing', async () => {
  const vars = { PI_BASH_YIELD_MS: '2500', PI_BASH_JOB_TTL_MS: '120000', PI_BASH_MAX_OUTPUT_CHARS: '5000' };
  assert.deepEqual(await load({}, vars), {
    valid: true,
    found: { ...DEFAULTS, backgroundMs: 2500, cleanupMs: 120_000, outputMaxChars: 5000 },
    warnings: [],
  });
  assert.deepEqual((await load({ tools: { exec: { backgroundMs: 7000 } } }, vars)).found, {
    ...DEFAULTS,
    backgroundMs: 7000,
    cleanupMs: 120_000,
    outputMaxChars: 5000,
  });
  assert.equal(
    (await load({ agent: { bash: { backgroundMs: 8000 } } }, vars)).found.backgroundMs,
    8000,
    'an old name in the file outranks them too',
  );
  assert.equal(
    (await load({ env: { PI_BASH_YIELD_MS: '300' } })).found.backgroundMs,
    300,
    'the section env of the file counts as environment',
  );
});

test('outside the bounds the nearest end counts, from either place; the file is in force', async () => {
  assert.deepEqual(
    (await load({}, { PI_BASH_YIELD_MS: '1', PI_BASH_JOB_TTL_MS: '1', PI_BASH_MAX_OUTPUT_CHARS: '1' })).found,
    { ...DEFAULTS, backgroundMs: 10, cleanupMs: 60_000, outputMaxChars: 1000 },
  );
  const high = await load({
    tools: { exec: { backgroundMs: 999_999, cleanupMs: 999_999_999, outputMaxChars: 999_999, timeoutSec: -5 } },
  });
  assert.deepEqual(
    [high.valid, high.found],
    [true, { backgroundMs: 120_000, cleanupMs: 10_800_000, outputMaxChars: 200_000, timeoutSec: 0 }],
  );
});

test('a value that is no number is reported and changes nothing', async () => {
  const { found, warnings } = await load({}, { PI_BASH_YIELD_MS: 'soon', PI_BASH_JOB_TTL_MS: ' ' });
  assert.deepEqual(found, DEFAULTS);
  assert.deepEqual(
    warnings.map(({ path, problem }) => [path, problem]),
    [['tools.exec.backgroundMs', 'the environment variable PI_BASH_YIELD_MS is not a number and is not used']],
  );
});
