// The file of permissions: what it says about an agent, how it changes, and that a broken one opens nothing.
import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLog, type Log } from '../../../core/log.ts';
import { sha256Hex } from '../../../platform/ids.ts';
import { publishedProtocol } from '../../../testing/published-protocol.ts';
import { tempDir } from '../../../testing/temp-dir.ts';
import type { NewAllowEntry } from './allowlist.ts';
import { createApprovalsFile, type ApprovalsFile } from './approvals-file.ts';

interface Harness extends AsyncDisposable {
  readonly path: string;
  readonly file: ApprovalsFile;
  readonly logged: string[];
  write(content: unknown): Promise<void>;
  read(): Promise<any>;
}

async function harness(content?: unknown): Promise<Harness> {
  const dir = await tempDir('approvals');
  const path = join(dir.path, 'exec-approvals.json');
  const logged: string[] = [];
  const log: Log = {
    ...silentLog,
    warn: (event) => void logged.push(event),
    error: (event, fields) => void logged.push(`${event} ${String(fields?.['problem'])}`),
  };
  const write = (next: unknown): Promise<void> =>
    writeFile(path, typeof next === 'string' ? next : JSON.stringify(next), { mode: 0o600 });
  if (content !== undefined) await write(content);
  return {
    path,
    logged,
    write,
    file: createApprovalsFile({ path, home: '/home/ada', log }),
    read: async () => JSON.parse(await readFile(path, 'utf8')),
    [Symbol.asyncDispose]: dir[Symbol.asyncDispose],
  };
}

const published = publishedProtocol();

const always = (pattern: string): NewAllowEntry => ({
  pattern,
  argPattern: 'exact:sha256:1',
  commandText: 'x (in /w)',
});

describe('what the file says', () => {
  it('nothing when there is none', async () => {
    await using at = await harness();
    assert.deepEqual(await at.file.policyFor('main'), { askFallback: 'deny', autoAllowSkills: false, allowlist: [] });
    assert.deepEqual(await at.file.snapshot(), {
      path: at.path,
      exists: false,
      hash: sha256Hex(''),
      file: { version: 1 },
    });
  });

  it('T51 entries for everybody come before those of the agent, and `default` is the main agent', async () => {
    await using at = await harness({
      version: 1,
      defaults: { security: 'allowlist', ask: 'always', autoAllowSkills: true },
      agents: {
        '*': { ask: 'on-miss', allowlist: [{ pattern: '/all' }] },
        default: { security: 'deny', allowlist: [{ pattern: '/old' }] },
        main: { security: 'full', allowlist: [{ id: 'a', pattern: '~/new' }] },
        work: { allowlist: [{ pattern: '/work' }] },
      },
    });
    const main = await at.file.policyFor('main');
    assert.deepEqual([main.security, main.ask, main.autoAllowSkills], ['full', 'on-miss', true]);
    assert.deepEqual(
      main.allowlist.map(({ pattern, written, listedFor }) => [pattern, written, listedFor]),
      [
        ['/all', '/all', '*'],
        ['/old', '/old', 'main'],
        ['/home/ada/new', '~/new', 'main'],
      ],
    );
    const work = await at.file.policyFor('work');
    assert.deepEqual([work.security, work.allowlist.map(({ pattern }) => pattern)], ['allowlist', ['/all', '/work']]);
    assert.deepEqual(
      (await at.file.policyFor('nobody')).allowlist.map(({ pattern }) => pattern),
      ['/all'],
    );
    assert.deepEqual((await at.file.policyFor('constructor')).allowlist.length, 1);
    assert.deepEqual(Object.keys((await at.file.snapshot()).file['agents'] as object).sort(), ['*', 'main', 'work']);
  });

  const broken: readonly [string, unknown][] = [
    ['no JSON', '{ "version": 1, '],
    ['JSON5', '{ version: 1 }'],
    ['another version', { version: 2, defaults: { security: 'full' } }],
    ['no version', { agents: {} }],
    ['a list', []],
    ['empty', ''],
    ['null', 'null'],
    ['a list where an object stands', { version: 1, agents: [] }],
    ['an entry without pattern', { version: 1, agents: { main: { allowlist: [{ id: 'x' }] } } }],
    ['words where a switch stands', { version: 1, defaults: { autoAllowSkills: 'yes' } }],
  ];
  for (const [what, content] of broken)
    it(`a broken one (${what}) opens nothing, and says so`, async () => {
      await using at = await harness(content);
      const policy = await at.file.policyFor('main');
      assert.deepEqual(
        [policy.security, policy.ask, policy.askFallback, policy.autoAllowSkills, policy.allowlist],
        ['deny', 'always', 'deny', false, []],
      );
      assert.match(
        policy.problem ?? '',
        /exec-approvals\.json .+ No command runs until the file is fixed or removed\./,
      );
      assert.match(at.logged.join('\n'), /^exec\.approvals\.invalid The approvals file/);
      const snapshot = await at.file.snapshot();
      assert.equal(snapshot.problem, policy.problem);
      await assert.rejects(at.file.remember('main', [always('/x')]), /is invalid|not JSON/);
      assert.equal(
        await readFile(at.path, 'utf8'),
        typeof content === 'string' ? content : JSON.stringify(content),
        'and is left alone',
      );
      await at.file.replace({ version: 1 }, snapshot.hash);
      assert.equal((await at.file.policyFor('main')).problem, undefined, 'who has read it may mend it');
    });

  it('words nobody knows count as the strictest', async () => {
    await using at = await harness({ version: 1, defaults: { security: 'fulll', ask: 'offf', askFallback: 'ful' } });
    const { security, ask, askFallback } = await at.file.policyFor('main');
    assert.deepEqual([security, ask, askFallback], ['deny', 'always', 'deny']);
    assert.match(at.logged.join('\n'), /defaults\.security = "fulll"/);
  });

  it('a change on disk counts for the next command, a removed file too', async () => {
    await using at = await harness({ version: 1 });
    assert.equal((await at.file.policyFor('main')).security, undefined);
    await at.write({ version: 1, defaults: { security: 'deny' } });
    assert.equal((await at.file.policyFor('main')).security, 'deny');
    await rm(at.path);
    assert.equal((await at.file.policyFor('main')).security, undefined);
  });

  it('is made private when others could read or write it', async () => {
    await using at = await harness();
    await writeFile(at.path, '{"version":1}', { mode: 0o666 });
    await at.file.policyFor('main');
    assert.equal((await stat(at.path)).mode & 0o777, 0o600);
    assert.deepEqual(at.logged, ['exec.approvals.mode']);
  });
});

describe('changes', () => {
  it('T59 what a person allowed for ever is on disk, private, once', async () => {
    await using at = await harness();
    await at.file.remember('main', [always('/usr/bin/git'), always('/usr/bin/git')]);
    await at.file.remember('main', [
      always('/usr/bin/git'),
      { pattern: '/usr/bin/node', argPattern: 'exact:sha256:0', commandText: 'node x' },
    ]);
    const { allowlist } = await at.file.policyFor('main');
    assert.deepEqual(
      allowlist.map(({ pattern, argPattern, source, listedFor }) => [pattern, argPattern, source, listedFor]),
      [
        ['/usr/bin/git', 'exact:sha256:1', 'allow-always', 'main'],
        ['/usr/bin/node', 'exact:sha256:0', 'allow-always', 'main'],
      ],
    );
    assert.ok(allowlist.every(({ id }) => /^[0-9a-f-]{36}$/.test(id ?? '')));
    assert.equal((await stat(at.path)).mode & 0o777, 0o600);
    assert.equal(published.fault('ExecApprovalsSnapshot', await at.file.snapshot()), undefined);
  });

  it('many at once are all kept', async () => {
    await using at = await harness();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        at.file.remember(index % 2 ? 'main' : 'work', [always(`/bin/${index}`)]),
      ),
    );
    const [main, work] = await Promise.all(['main', 'work'].map((agent) => at.file.policyFor(agent)));
    assert.deepEqual(
      [...main!.allowlist, ...work!.allowlist].map(({ pattern }) => pattern).sort(),
      Array.from({ length: 20 }, (_, index) => `/bin/${index}`).sort(),
    );
  });

  it('use is noted to the minute, on that entry alone, without secrets', async () => {
    await using at = await harness({
      version: 1,
      agents: {
        '*': { allowlist: [{ pattern: '/bin/a' }] },
        main: { allowlist: [{ pattern: '/bin/a' }, { pattern: '/bin/b', id: 'b' }] },
      },
    });
    const use = async (at_: number, command = 'a --key sk-ant-REDACTED'): Promise<void> => {
      const { allowlist } = await at.file.policyFor('main');
      await at.file.used(
        'main',
        allowlist.filter(({ listedFor, pattern }) => listedFor === 'main' && pattern === '/bin/a'),
        { command, at: at_, path: '/bin/a' },
      );
    };
    await use(1_000_000);
    await use(1_059_999, 'later');
    const { agents } = await at.read();
    assert.deepEqual(
      [agents['*'].allowlist, agents.main.allowlist[1]],
      [[{ pattern: '/bin/a' }], { pattern: '/bin/b', id: 'b' }],
    );
    assert.deepEqual(
      [agents.main.allowlist[0].lastUsedAt, agents.main.allowlist[0].lastResolvedPath],
      [1_000_000, '/bin/a'],
    );
    assert.doesNotMatch(agents.main.allowlist[0].lastUsedCommand, /abcdefghijklmnop/);
    await use(1_060_000, 'later');
    assert.equal((await at.read()).agents.main.allowlist[0].lastUsedCommand, 'later');
  });

  it('what nobody here knows stays, and the socket is never shown', async () => {
    const content = {
      version: 1,
      future: { x: 1 },
      socket: { path: '/run/s', token: 'hunter2' },
      defaults: { later: true },
      agents: { main: { plan: 9, allowlist: [{ id: 'a', pattern: '/bin/a', note: 'mine' }] }, gone: { plan: 1 } },
    };
    await using at = await harness(content);
    await at.file.remember('main', [always('/bin/b')]);
    const snapshot = await at.file.snapshot();
    assert.doesNotMatch(JSON.stringify(snapshot), /hunter2|socket|future|later|mine|plan/);
    assert.equal(published.fault('ExecApprovalsSnapshot', snapshot), undefined);
    const shown = snapshot.file as any;
    await at.file.replace(
      {
        version: 1,
        socket: { token: 'stolen' },
        defaults: { ask: 'always' },
        agents: {
          main: { allowlist: [{ ...shown.agents.main.allowlist[0], pattern: '/bin/A' }, { pattern: '/bin/c' }] },
        },
      },
      snapshot.hash,
    );
    const after = await at.read();
    assert.deepEqual(
      [after.future, after.socket, after.defaults, Object.keys(after.agents)],
      [{ x: 1 }, content.socket, { later: true, ask: 'always' }, ['main']],
    );
    assert.equal(after.agents.main.plan, 9);
    assert.deepEqual(
      after.agents.main.allowlist.map(({ pattern, note, id }: any) => [pattern, note, typeof id]),
      [
        ['/bin/A', 'mine', 'string'],
        ['/bin/c', undefined, 'string'],
      ],
    );
  });

  it('T60 a replacement that was made from an older file is refused, and of many at once exactly one wins', async () => {
    await using at = await harness({ version: 1 });
    const { hash } = await at.file.snapshot();
    await at.write({ version: 1, agents: {} });
    await assert.rejects(at.file.replace({ version: 1 }, hash), { code: 'conflict' });
    await assert.rejects(at.file.replace({ version: 1 }, undefined), {
      code: 'invalid',
      message: /baseHash is required/,
    });
    const base = (await at.file.snapshot()).hash;
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => at.file.replace({ version: 1, agents: { [`a${index}`]: {} } }, base)),
    );
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const one of tries) if (one.status === 'rejected') assert.equal(one.reason.code, 'conflict');
    assert.deepEqual(Object.keys((await at.read()).agents), ['a0']);
  });

  it('a first file needs no hash', async () => {
    await using at = await harness();
    assert.equal(
      (await at.file.replace({ version: 1, agents: { main: { allowlist: [{ pattern: '/bin/x' }] } } }, undefined))
        .exists,
      true,
    );
  });

  it('a replacement that makes no sense is refused and names the place', async () => {
    await using at = await harness({ version: 1 });
    const { hash } = await at.file.snapshot();
    await assert.rejects(at.file.replace({ version: 1, agents: { main: { allowlist: [{}] } } }, hash), {
      code: 'invalid',
      message: /agents\.main\.allowlist\.0\.pattern/,
    });
    await assert.rejects(at.file.replace({ version: 1, defaults: { security: 'none' } }, hash), {
      code: 'invalid',
      message: /defaults\.security = "none"/,
    });
    await assert.rejects(at.file.replace('{}', hash), { code: 'invalid' });
  });
});
