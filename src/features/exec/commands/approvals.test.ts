// `approvals`: list, answer, watch, and the allowlist, as a person types them.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { AppError } from '../../../core/errors.ts';
import type { WireApproval } from '../../../protocol/answers/approvals.ts';
import { runCli } from '../../../cli/cli.ts';
import { fakeTerminal, type Answers, type FakeTerminal } from '../../../cli/fake.ts';

const run = async (argv: string, io: FakeTerminal) => ({ code: await runCli(argv.split(' '), io), io });
const approval = (id: string, rememberable = true): WireApproval => ({
  id,
  slug: id.slice(0, 8),
  createdAtMs: Date.now(),
  expiresAtMs: Date.now() + 120_000,
  request: {
    command: `run ${id}`,
    cwd: '/w',
    env: {},
    host: 'gateway',
    agentId: 'main',
    sessionKey: 'agent:main:main',
    steps: [],
    reasons: [],
    rememberable,
    elevated: false,
  },
});

describe('approvals', () => {
  it('alone lists what waits, in full', async () => {
    const { code, io } = await run(
      'approvals',
      fakeTerminal({ answers: { 'exec.approval.list': [approval('aaaa1111-1')] } }),
    );
    assert.equal(code, 0);
    assert.match(io.lines.join('\n'), /Approval aaaa1111[^]*│ run aaaa1111-1[^]*approvals approve <id>/);
    assert.deepEqual((await run('approvals list', fakeTerminal({ answers: { 'exec.approval.list': [] } }))).io.lines, [
      'No commands are waiting for approval.',
    ]);
    const json = await run('approvals --json', fakeTerminal({ answers: { 'exec.approval.list': [] } }));
    assert.deepEqual(json.io.lines, ['[]']);
  });

  it('approve and deny answer', async () => {
    for (const [argv, decision] of [
      ['approvals approve aaaa', 'allow-once'],
      ['approvals approve aaaa --always', 'allow-always'],
      ['approvals deny aaaa', 'deny'],
    ] as const) {
      const { code, io } = await run(argv, fakeTerminal({ answers: { 'exec.approval.resolve': { ok: true } } }));
      assert.deepEqual(
        [code, io.requests],
        [0, [{ method: 'exec.approval.resolve', params: { id: 'aaaa', decision } }]],
      );
    }
    const { code } = await run('approvals approve', fakeTerminal({ answers: {} }));
    assert.equal(code, 2);
    const late = await run(
      'approvals deny aaaa',
      fakeTerminal({
        answers: {
          'exec.approval.resolve': () => {
            throw new AppError('conflict', 'already settled');
          },
        },
      }),
    );
    assert.deepEqual([late.code, late.io.errors], [1, ['already settled']]);
  });
});

/** A watch with hands on it: events to send, keys to press, and what was shown when it is there. */
function watching({
  tty,
  first = [],
  resolve = () => ({ ok: true }),
}: {
  tty: boolean;
  first?: readonly WireApproval[];
  resolve?: (params: any) => unknown;
}) {
  const stdin = Object.assign(new PassThrough(), tty ? { isTTY: true, setRawMode: () => stdin } : {}) as PassThrough;
  let send: (event: string, payload: unknown) => void = () => {};
  const answers: Answers = {
    'exec.approval.list': (_params: unknown, emit: typeof send) => {
      send = emit;
      return first;
    },
    'exec.approval.resolve': (params: any, emit: typeof send) => {
      const answer = resolve(params);
      emit('exec.approval.resolved', { id: params.id, decision: params.decision, resolvedBy: 'operator', ts: 1 });
      return answer;
    },
  };
  const io = fakeTerminal({ answers, stdin });
  const shown = { prompt: '' };
  io.stdout.on('data', (chunk: Buffer) => void (shown.prompt += String(chunk)));
  const all = (): string => [...io.lines, ...io.errors, shown.prompt].join('\n');
  return {
    io,
    done: runCli(['approvals', 'watch'], io),
    send: (event: string, payload: unknown) => send(event, payload),
    type: (text: string) => stdin.write(text),
    async until(pattern: RegExp): Promise<void> {
      for (let turns = 0; !pattern.test(all()); turns += 1) {
        assert.ok(turns < 10_000, `never shown: ${String(pattern)} in ${all()}`);
        await new Promise((next) => setImmediate(next));
      }
    },
  };
}

describe('approvals watch', () => {
  it('prints what comes and how it ends where nobody can be asked', async () => {
    const watch = watching({ tty: false, first: [approval('aaaa1111-1')] });
    await watch.until(/run aaaa1111-1/);
    watch.send('exec.approval.requested', approval('bbbb2222-2'));
    watch.send('exec.approval.requested', approval('bbbb2222-2'));
    await watch.until(/run bbbb2222-2/);
    watch.send('exec.approval.resolved', { id: 'bbbb2222-2', decision: 'deny', resolvedBy: 'telegram 4711', ts: 1 });
    watch.send('exec.approval.resolved', { id: 'never-seen', decision: 'deny', ts: 1 });
    await watch.until(/bbbb2222: denied by telegram 4711/);
    watch.io.interrupt();
    assert.equal(await watch.done, 0);
    assert.equal(watch.io.lines.filter((line) => line.includes('run bbbb2222-2')).length, 1);
    assert.doesNotMatch(watch.io.lines.join('\n'), /never-se/);
    assert.deepEqual([watch.io.requests.map(({ method }) => method), watch.io.open.count], [['exec.approval.list'], 0]);
  });

  it('asks one after the other at a terminal, and takes nothing but an answer', async () => {
    const watch = watching({ tty: true, first: [approval('aaaa1111-1'), approval('bbbb2222-2', false)] });
    const noises = ['', 'y', 'yes', 'allow', 'oo', 'constructor'];
    for (const [round, noise] of noises.entries()) {
      await watch.until(new RegExp(`(?:lways, [^]*){${round + 1}}`));
      watch.type(`${noise}\n`);
    }
    await watch.until(new RegExp(`(?:lways, [^]*){${noises.length + 1}}`));
    watch.type('once\n');
    await watch.until(/aaaa1111: allowed once by operator/);
    await watch.until(/run bbbb2222-2[^]*\[o\]nce, \[d\]eny or \[l\]ater\? /);
    watch.type('d\n');
    await watch.until(/bbbb2222: denied by operator/);
    watch.io.interrupt();
    assert.equal(await watch.done, 0);
    assert.deepEqual(
      watch.io.requests.slice(1).map(({ params }) => params),
      [
        { id: 'aaaa1111-1', decision: 'allow-once' },
        { id: 'bbbb2222-2', decision: 'deny' },
      ],
    );
  });

  it('a question answered elsewhere is not asked any more, and what is typed then answers nothing', async () => {
    const watch = watching({ tty: true, first: [approval('aaaa1111-1')] });
    await watch.until(/\[l\]ater\? /);
    watch.type('o');
    watch.send('exec.approval.resolved', { id: 'aaaa1111-1', decision: 'expired', ts: 1 });
    await watch.until(/aaaa1111: expired/);
    watch.type('\no\no');
    await new Promise((next) => setImmediate(next));
    watch.send('exec.approval.requested', approval('bbbb2222-2', false));
    await watch.until(/run bbbb2222-2[^]*\[o\]nce, \[d\]eny or/);
    watch.type('\n');
    await watch.until(/(?:\[o\]nce, \[d\]eny or[^]*){2}/);
    watch.send('disconnected', undefined);
    assert.equal(await watch.done, 1);
    assert.deepEqual(
      watch.io.requests.map(({ method }) => method),
      ['exec.approval.list'],
    );
    assert.match(watch.io.errors.join('\n'), /closed the connection/);
  });

  it('what the gateway refuses is asked again', async () => {
    let tries = 0;
    const watch = watching({
      tty: true,
      first: [approval('aaaa1111-1')],
      resolve: () => {
        if ((tries += 1) === 1) throw new AppError('unavailable', 'not now');
        return { ok: true };
      },
    });
    await watch.until(/\[l\]ater\? /);
    watch.type('d\n');
    await watch.until(/not now[^]*(?:lways, [^]*){2}/);
    watch.type('d\n');
    await watch.until(/aaaa1111: denied/);
    watch.io.interrupt();
    assert.equal(await watch.done, 0);
  });
});

describe('approvals allowlist', () => {
  /** A file behind the two methods; `before` runs in front of each write. */
  function store(file: any, before: () => void = () => {}) {
    const state = { file, version: 1 };
    const answers: Answers = {
      'exec.approvals.get': () => ({
        path: '/x.json',
        exists: true,
        hash: String(state.version),
        file: structuredClone(state.file),
      }),
      'exec.approvals.set': ({ file: next, baseHash }: any) => {
        before();
        if (baseHash !== String(state.version)) throw new AppError('conflict', 'changed');
        Object.assign(state, { file: next, version: state.version + 1 });
        return {};
      },
    };
    return { state, terminal: () => fakeTerminal({ answers }) };
  }
  const content = () => ({
    version: 1,
    defaults: { ask: 'always' },
    agents: {
      '*': { allowlist: [{ id: 'a1', pattern: '/bin/all' }] },
      main: {
        security: 'deny',
        allowlist: [
          { id: 'a2', pattern: '/bin/x\u202e', argPattern: 'exact:sha256:0', commandText: 'x --y' },
          { id: 'a3', pattern: '/bin/all' },
        ],
      },
    },
  });

  it('lists entries and what the file says besides', async () => {
    const { io } = await run('approvals allowlist', store(content()).terminal());
    assert.deepEqual(io.lines, [
      [
        'AGENT  PROGRAM         ARGUMENTS    USED   ID',
        '*      /bin/all        any          never  a1',
        'main   /bin/x⟨U+202E⟩  only: x --y  never  a2',
        'main   /bin/all        any          never  a3',
      ].join('\n'),
      'defaults: ask=always',
      'main: security=deny',
    ]);
    assert.match((await run('approvals allowlist list', store({ version: 1 }).terminal())).io.lines[0]!, /empty/);
  });

  it('adds a place, never a bare name, and never twice', async () => {
    const file = store(content());
    assert.equal((await run('approvals allowlist add /usr/bin/rg', file.terminal())).code, 0);
    assert.equal((await run('approvals allowlist add ~/bin/* --agent *', file.terminal())).code, 0);
    assert.deepEqual(
      [
        file.state.file.agents.main.allowlist.at(-1),
        file.state.file.agents['*'].allowlist.at(-1),
        file.state.file.agents.main.security,
      ],
      [{ pattern: '/usr/bin/rg' }, { pattern: '~/bin/*' }, 'deny'],
    );
    const bare = await run('approvals allowlist add rg', file.terminal());
    assert.deepEqual([bare.code, bare.io.requests.length], [1, 0]);
    assert.match(bare.io.errors[0]!, /is not a path/);
    assert.equal((await run('approvals allowlist add /usr/bin/rg', file.terminal())).code, 1);
  });

  it('removes by id or pattern, of one agent or all', async () => {
    const file = store(content());
    assert.deepEqual((await run('approvals allowlist remove a2', file.terminal())).io.lines, [
      'Removed 1 entry; they need approval again.',
    ]);
    assert.equal((await run('approvals allowlist remove nothing', file.terminal())).code, 1);
    assert.equal((await run('approvals allowlist remove /bin/all --agent work', file.terminal())).code, 1);
    assert.deepEqual((await run('approvals allowlist remove /bin/all', file.terminal())).io.lines, [
      'Removed 2 entries; they need approval again.',
    ]);
    assert.deepEqual([file.state.file.agents['*'].allowlist, file.state.file.agents.main.allowlist], [[], []]);
  });

  it('T60 makes the change again when the file changed in between, and loses neither', async () => {
    let meddled = false;
    const file = store(content(), () => {
      if (meddled) return;
      meddled = true;
      file.state.file.agents.work = { allowlist: [{ pattern: '/bin/work' }] };
      file.state.version += 1;
    });
    assert.equal((await run('approvals allowlist add /bin/new', file.terminal())).code, 0);
    assert.deepEqual(
      [file.state.file.agents.work.allowlist.length, file.state.file.agents.main.allowlist.length],
      [1, 3],
    );
  });
});
