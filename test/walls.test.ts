/** Every rule of `.dependency-cruiser.cjs` works: a small tree that breaks each rule once is reported for each. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

/** File → what it imports, as types; a leading `=` makes it a value import. */
const BROKEN: Readonly<Record<string, readonly string[]>> = {
  'src/core/saying.ts': [],
  'src/sdk/said.ts': [],
  'src/core/noun.ts': ['../platform/disk.ts', 'ws', '=zod'],
  'src/protocol/frame.ts': ['../config/slice.ts'],
  'src/platform/disk.ts': ['../protocol/frame.ts'],
  'src/config/slice.ts': ['../journal/row.ts'],
  'src/documents/read.ts': ['../config/slice.ts', 'node:fs'],
  'src/link-understand/main.ts': ['../config/slice.ts'],
  'src/journal/row.ts': ['../sessions/entry.ts', '../documents/read.ts'],
  'src/sessions/entry.ts': ['../agent/loop.ts'],
  'src/plugins/find.ts': ['../agent/loop.ts'],
  'src/host/host.ts': ['=../agent/loop.ts', '../pipeline/inbound.ts'],
  'src/host/http/reply.ts': ['node:fs'],
  'src/features/one/index.ts': ['../two/index.ts', '../../gateway/server.ts'],
  'src/features/two/index.ts': ['../../../ui/src/page.ts'],
  'src/features/two/platform/disk.ts': ['../../../config/slice.ts'],
  'src/features/two/page/index.ts': ['=../../../config/slice.ts'],
  'src/features/two/viewer/main.ts': ['../../../config/slice.ts'],
  'ui/src/page.ts': ['../../src/core/noun.ts', '=../../src/protocol/frame.ts'],
  'src/protocol/version.ts': ['=zod'],
  'src/features/two/tools/one/index.ts': ['../../../../core/noun.ts'],
  'src/features/two/cli.ts': ['../../gateway/server.ts'],
  'src/agent/loop.ts': ['../pipeline/inbound.ts', '../features/one/index.ts', '../journal/row.ts'],
  'src/pipeline/inbound.ts': ['../gateway/server.ts', '../core/saying.ts'],
  'src/pipeline/routing/route.ts': ['../access/admit.ts', '../../agent/loop.ts'],
  'src/pipeline/access/admit.ts': ['node:fs'],
  'src/pipeline/outbound/plan.ts': ['../command-host/desk.ts'],
  'src/pipeline/command-host/desk.ts': [],
  'src/channel-host/hub.ts': ['../gateway/server.ts', '=../schema.ts'],
  'src/tool-methods/rpc.ts': ['../channel-host/hub.ts'],
  'src/services/chat.ts': ['../gateway/server.ts'],
  'src/gateway/server.ts': ['../agent/loop.ts', 'node:fs'],
  'src/gateway/methods.ts': [],
  'src/sdk/index.ts': ['../config/slice.ts'],
  'src/channels/one/index.ts': ['../two/index.ts', 'node:fs'],
  'src/channels/two/index.ts': ['../../testing/clock.ts'],
  'src/providers/one/index.ts': ['../../core/noun.ts'],
  'src/tools/one/index.ts': ['../../core/noun.ts', '../../sdk/said.ts'],
  'src/cli/command.ts': ['../gateway/methods.ts', '../app.ts'],
  'src/node-host/host.ts': ['../gateway/methods.ts', 'knip'],
  'src/testing/clock.ts': [],
  'src/schema.ts': ['./core/noun.ts'],
  'src/app.ts': ['./nowhere.ts'],
  'src/cycle-a.ts': ['./cycle-b.ts'],
  'src/cycle-b.ts': ['./cycle-a.ts'],
};

test('each rule reports the file that breaks it, type imports counted', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'clawdbot-walls-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  for (const [path, imports] of Object.entries(BROKEN)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(
      join(root, path),
      [
        ...imports.map((from, index) =>
          from.startsWith('=') ? `import '${from.slice(1)}';` : `import type * as a${index} from '${from}';`,
        ),
        'export type Thing = 1;',
      ].join('\n'),
    );
  }
  for (const name of ['package.json', 'tsconfig.json', 'node_modules']) await symlink(resolve(name), join(root, name));

  const rules = (
    createRequire(import.meta.url)(resolve('.dependency-cruiser.cjs')) as { forbidden: { name: string }[] }
  ).forbidden.map((rule) => rule.name);
  const reported = new Set((await cruise(root)).map((violation) => violation.rule.name));
  assert.deepEqual([...reported].sort(), rules.sort());
});

interface Violation {
  readonly rule: { readonly name: string };
}

async function cruise(root: string): Promise<readonly Violation[]> {
  const report = join(root, 'report.json');
  await new Promise((done) => {
    // Exit code and violations are the same fact; the report is read either way.
    execFile(
      process.execPath,
      [
        resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
        'src',
        'ui',
        '--config',
        resolve('.dependency-cruiser.cjs'),
        '--output-type',
        'json',
        '--output-to',
        report,
      ],
      { cwd: root },
      done,
    );
  });
  return (JSON.parse(await readFile(report, 'utf8')) as { summary: { violations: readonly Violation[] } }).summary
    .violations;
}
