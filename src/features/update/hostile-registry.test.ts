// A release taken with the real npm from a registry on this machine: nothing of it runs or lands where it should not,
// and what is not it goes again.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createUpdater } from './create-updater.ts';
import { silentLog } from '../../core/log.ts';
import { systemClock } from '../../platform/clock.ts';
import { readEnv } from '../../platform/env.ts';
import { tempDir } from '../../testing/temp-dir.ts';

interface Entry {
  readonly path: string;
  readonly text?: string;
  readonly mode?: number;
  readonly link?: string;
}

/** A ustar archive that says what it is told. */
function tarball(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, text = '', mode = 0o644, link }) => {
    const head = Buffer.alloc(512);
    head.write(path, 0);
    head.write(mode.toString(8).padStart(7, '0'), 100);
    head.write('0000000', 108);
    head.write('0000000', 116);
    head.write(Buffer.byteLength(text).toString(8).padStart(11, '0'), 124);
    head.write('00000000000', 136);
    head.write('        ', 148);
    head.write(link === undefined ? '0' : '2', 156);
    head.write(link ?? '', 157);
    head.write('ustar\u000000', 257);
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    return [head, Buffer.from(text), Buffer.alloc((512 - (Buffer.byteLength(text) % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const release = (version: string, more: readonly Entry[] = [], manifest: object = {}): readonly Entry[] => [
  { path: 'package/package.json', text: JSON.stringify({ name: 'clawdbot', version, ...manifest }) },
  { path: 'package/dist/app.js', text: '' },
  ...more,
];

async function registry(
  releases: Readonly<Record<string, readonly Entry[]>>,
  { integrity }: { readonly integrity?: string } = {},
) {
  const asked: string[] = [];
  const packed = new Map(Object.entries(releases).map(([version, entries]) => [version, tarball(entries)]));
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const version = /-(\d+\.\d+\.\d+)\.tgz$/.exec(request.url!)?.[1];
    if (version !== undefined) return void response.end(packed.get(version));
    const sri = (data: Buffer): string => `sha512-${createHash('sha512').update(data).digest('base64')}`;
    const versions = Object.fromEntries(
      [...packed].map(([each, data], at) => [
        each,
        {
          name: 'clawdbot',
          version: each,
          ...(releases[each]!.some(({ text }) => text?.includes('postinstall')) ? { hasInstallScript: true } : {}),
          dist: {
            tarball: `${base}/clawdbot/-/clawdbot-${each}.tgz`,
            integrity: at > 0 && integrity ? integrity : sri(data),
          },
        },
      ]),
    );
    return void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ name: 'clawdbot', 'dist-tags': { latest: Object.keys(releases).at(-1) }, versions }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function installed(url: string) {
  const dir = await tempDir('release');
  const at = (...parts: readonly string[]): string => join(dir.path, ...parts);
  const root = at('lib/node_modules/clawdbot');
  for (const { path, text = '' } of release('1.0.0')) {
    const place = join(root, path.replace('package/', ''));
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text);
  }
  await writeFile(at('npmrc'), `registry=${url}\nprefix=${dir.path}\ncache=${at('cache')}\nfetch-retries=0\n`);
  const vars = {
    HOME: dir.path,
    PATH: process.env['PATH']!,
    NPM_CONFIG_USERCONFIG: at('npmrc'),
    NPM_CONFIG_GLOBALCONFIG: at('none'),
    PROOF: at('ran'),
  };
  const restarts: unknown[] = [];
  const update = async () => {
    await using updater = createUpdater({
      root,
      env: readEnv(vars),
      clock: systemClock,
      log: silentLog,
      requestRestart: (request) => {
        restarts.push(request);
        return { scheduledAt: 0 };
      },
    });
    return await updater.run({});
  };
  const manifest = async () =>
    JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  return { at, root, update, manifest, restarts, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

it('a release runs nothing when it is installed, stays in its folder, and comes from where the user said', async () => {
  const evil: readonly Entry[] = [
    { path: 'package/../../../escaped', text: 'x' },
    { path: '../../escaped', text: 'x' },
    { path: '/tmp/clawdbot-escaped-by-absolute-path', text: 'x' },
    { path: 'package/link', link: '/etc/passwd' },
    { path: 'package/link/../../../../escaped', text: 'x' },
    { path: 'package/dist/open', text: 'x', mode: 0o666 },
  ];
  await using good = await registry({
    '1.0.0': release('1.0.0'),
    '1.1.0': release('1.1.0', evil, {
      scripts: Object.fromEntries(
        ['preinstall', 'install', 'postinstall', 'prepare'].map((name) => [name, 'echo ran >> "$PROOF"']),
      ),
    }),
  });
  await using bad = await registry({ '9.0.0': release('9.0.0') });
  await using harness = await installed(good.url);
  await writeFile(join(harness.root, '.npmrc'), `registry=${bad.url}\nignore-scripts=false\nscript-shell=/bin/false\n`);
  const report = await harness.update();
  assert.deepEqual(
    [report.status, report.reason, (await harness.manifest()).version, bad.asked, harness.restarts.length],
    ['ok', undefined, '1.1.0', [], 1],
  );
  assert.equal(existsSync(harness.at('ran')), false, 'a script ran');
  assert.equal(existsSync('/tmp/clawdbot-escaped-by-absolute-path'), false);
  const names = (await readdir(harness.at(), { recursive: true })).filter((name) => !name.startsWith('cache'));
  assert.deepEqual(
    names.filter((name) => /escaped/.test(name) && !name.startsWith('lib/node_modules/clawdbot/')),
    [],
  );
  assert.equal((await lstat(join(harness.root, 'dist/open'))).mode & 0o002, 0);
  assert.equal(
    names.some((name) => name.endsWith('clawdbot/link')),
    false,
  );
});

it('a package that is not what its digest says, or not what its name says, goes again', async (t) => {
  for (const [what, releases, options] of [
    [
      'another digest',
      { '1.0.0': release('1.0.0'), '1.1.0': release('1.1.0') },
      { integrity: `sha512-${Buffer.alloc(64).toString('base64')}` },
    ],
    ['another name inside', { '1.0.0': release('1.0.0'), '1.1.0': release('1.1.0', [], { name: 'evil' }) }, {}],
    ['another version inside', { '1.0.0': release('1.0.0'), '1.1.0': release('0.0.1') }, {}],
  ] as const) {
    await using good = await registry(releases, options);
    await using harness = await installed(good.url);
    const report = await harness.update();
    assert.deepEqual(
      [report.status, report.reason, await harness.manifest(), harness.restarts.length],
      ['error', 'install-failed', { name: 'clawdbot', version: '1.0.0' }, 0],
      what,
    );
  }
  t.diagnostic('update, releases: 3/3 gone again');
});
