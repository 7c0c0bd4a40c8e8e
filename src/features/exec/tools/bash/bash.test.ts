/** The bash tool: what it asks of the shell, and how it tells what came of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseToolInput } from '../../../../agent/schema/parse-tool-input.ts';
import { AppError } from '../../../../core/errors.ts';
import type { ToolContext, ToolResult } from '../../../../core/tool.ts';
import { textOf } from '../../../../core/transcript.ts';
import { createFakeShell, type FakeScript, type FakeShell } from '../../../../testing/fake-shell.ts';
import { runTool, toolContext, toolContract } from '../../../../testing/tool-contract.ts';
import bash from './index.ts';

toolContract({
  tool: bash,
  shell: () => createFakeShell({ 'echo hi': { output: 'hi\n' }, false: { exitCode: 1 } }),
  good: { command: 'echo hi' },
  bad: [
    { input: {}, says: /command: Provide a command to start\./ },
    { input: { command: 'x', timeout: 'soon' }, says: /timeout/ },
    { input: { command: 'x', env: ['NOVALUE'] }, says: /env: write each variable as NAME=value/ },
    { input: { command: 'x', env: { 'A B': '1' } }, says: /env: write each variable/ },
    { input: { command: 'x', env: { A: { b: 1 } } }, says: /env/ },
  ],
  failing: [
    { input: { command: ' \n ' }, says: /^Provide a command to start\.$/ },
    { input: { command: 'false' }, says: /exited with code 1$/ },
    { input: { command: 'nonsense' }, says: /not found\n\nexited with code 127$/ },
  ],
});

interface Ran {
  readonly result: ToolResult;
  readonly text: string;
  readonly shell: FakeShell;
  readonly details: Record<string, unknown>;
}

async function ran(
  script: FakeScript,
  input: Record<string, unknown> = {},
  extra: Partial<ToolContext> = {},
): Promise<Ran> {
  const shell = createFakeShell({ it: script });
  const result = await runTool(bash, { command: 'it', ...input }, toolContext('/work', { shell, ...extra }));
  return { result, text: textOf(result.content), shell, details: result.details as Record<string, unknown> };
}

describe('what bash asks for', () => {
  it('passes on every parameter, in any of its spellings', async () => {
    const { shell } = await ran(
      {},
      {
        cwd: ' sub ',
        timeout_seconds: '2.5',
        run_in_background: 'true',
        env: { A: 1, B: 'x=y', C: null },
        pty: true,
        elevated: false,
        host: 'gateway',
        security: 'deny',
        ask: 'always',
        node: 'n',
      },
    );
    assert.deepEqual(shell.requests, [
      {
        command: 'it',
        workdir: 'sub',
        timeoutSeconds: 2.5,
        background: true,
        env: { A: '1', B: 'x=y' },
        pty: true,
        elevated: false,
        host: 'gateway',
        security: 'deny',
        ask: 'always',
        node: 'n',
      },
    ]);
  });

  it('takes variables as a list, as an object or as one word', () => {
    for (const env of [['A=1', 'B='], { A: 1, B: '' }, '["A=1","B="]'])
      assert.deepEqual(parseToolInput(bash, { command: 'x', env }), {
        ok: true,
        input: { command: 'x', env: { A: '1', B: '' } },
      });
    assert.deepEqual(parseToolInput(bash, { command: 'x', env: 'A=1=2' }), {
      ok: true,
      input: { command: 'x', env: { A: '1=2' } },
    });
  });

  it('T23 leaves clamping and unknown values to the shell', async () => {
    const { shell } = await ran({}, { yieldMs: 1, host: 'moon', workdir: '  ' });
    assert.equal(shell.requests[0]?.yieldMs, 1);
    assert.equal(shell.requests[0]?.host, 'moon');
    assert.equal(shell.requests[0]?.workdir, undefined);
  });

  it('T24 wants a command', async () => {
    for (const command of ['', '   ', '\n\t']) {
      const { result, text, shell } = await ran({}, { command });
      assert.deepEqual([text, result.isError, shell.requests.length], ['Provide a command to start.', true, 0]);
    }
  });

  it('has the gateway run on a node what runs there, and tells both of its outputs', async () => {
    const asked: unknown[] = [];
    const command = { node: 'Desk', line: 'it', commandTimeoutMs: 2000, ask: 'always' };
    const there = (payload: unknown, input = {}) =>
      ran({ refused: { kind: 'elsewhere', command } }, input, {
        async rpc(method, params) {
          asked.push([method, params]);
          if (payload instanceof Error) throw payload;
          return payload;
        },
      });
    const good = await there({ exitCode: 0, stdout: 'out\n', stderr: 'err\n' }, { background: true });
    assert.deepEqual(asked, [['node.run', command]]);
    assert.match(good.text, /^Nodes run nothing in the background.*\n\nout\nerr$/);
    const { status, exitCode, aggregated, host } = good.details;
    assert.deepEqual([status, exitCode, aggregated, host], ['completed', 0, 'out\nerr', 'node']);
    const ends: [unknown, RegExp][] = [
      [{ exitCode: 3, stdout: 'x' }, /^x\n\nexited with code 3$/],
      [{ exitCode: null, timedOut: true, error: 'timed out' }, /timed out after 2 seconds$/],
      [{ exitCode: null, error: 'ended by SIGKILL' }, /ended by SIGKILL$/],
      ['nonsense', /no outcome of a command/],
      [new AppError('denied', 'Exec denied.'), /^host=node node=Desk: Exec denied\.$/],
    ];
    for (const [payload, says] of ends) {
      const { text, result } = await there(payload);
      assert.equal(result.isError, true);
      assert.match(text, says);
    }
  });

  it('says so where no command can be run', async () => {
    const result = await runTool(bash, { command: 'it' }, toolContext('/work'));
    assert.equal(result.isError, true);
    assert.match(textOf(result.content), /are not available in this conversation/);
  });

  it('shows what it waits for while it waits', async () => {
    const reported: string[] = [];
    await ran({ progress: ['compiling…', 'linking…'] }, {}, { progress: (text) => void reported.push(text) });
    assert.deepEqual(reported, ['compiling…', 'linking…']);
  });
});

describe('how bash tells what came of it', () => {
  it('finished: what it wrote, trimmed', async () => {
    const { result, text, details } = await ran({ output: '\n\n  indented\nlast\n\n' });
    assert.equal(text, '  indented\nlast');
    assert.equal(result.isError, undefined);
    assert.deepEqual(
      [details['status'], details['exitCode'], details['aggregated'], details['cwd'], typeof details['durationMs']],
      ['completed', 0, '\n\n  indented\nlast\n\n', '/work', 'number'],
    );
  });

  it('finished without a word', async () => assert.equal((await ran({})).text, '(no output)'));

  it('T32 warnings come first', async () => {
    assert.equal(
      (await ran({ output: 'x\n', warnings: ['Warning: workdir /nope cannot be used; using /work.', 'Warning: two'] }))
        .text,
      'Warning: workdir /nope cannot be used; using /work.\nWarning: two\n\nx',
    );
  });

  it('T1 T2 still running: the session, its pid, and the tool to ask', async () => {
    const { result, text, details, shell } = await ran({ runs: true, output: 'starting\n' }, { background: true });
    assert.equal(
      text,
      'Command still running (session calm-harbor, pid 4711). Use `process` with this sessionId to poll, ' +
        'log, write to or kill it.',
    );
    assert.equal(result.isError, undefined);
    assert.deepEqual(details, {
      status: 'running',
      sessionId: 'calm-harbor',
      pid: 4711,
      startedAt: shell.clock.now(),
      cwd: '/work',
      host: 'gateway',
      pty: false,
      tail: 'starting\n',
    });
    assert.equal((await shell.processes.list())[0]?.sessionId, 'calm-harbor');
  });

  it('T25 a failure is an error: output, blank line, code', async () => {
    const { result, text, details } = await ran({ output: 'oops\n', exitCode: 3 });
    assert.equal(text, 'oops\n\nexited with code 3');
    assert.deepEqual([result.isError, details['status'], details['exitCode']], [true, 'failed', 3]);
    assert.equal((await ran({ exitCode: 1 })).text, '(no output)\n\nexited with code 1');
  });

  it('T26 a signal is named', async () => {
    const { result, text } = await ran({ exitSignal: 'SIGKILL' });
    assert.deepEqual([text, result.isError], ['(no output)\n\naborted by signal SIGKILL', true]);
  });

  it('T27 so is a timeout', async () => {
    const { result, text, details } = await ran({ output: 'a', exitSignal: 'SIGKILL', endReason: 'timeout' });
    assert.deepEqual(
      [text, result.isError, details['endReason']],
      ['a\n\ntimed out after 1800 seconds', true, 'timeout'],
    );
  });

  it('names the processes a command left behind', async () => {
    const { text, details } = await ran({
      output: 'ok',
      leftBehind: [
        { pid: 12, name: 'sleep' },
        { pid: 13, name: 'node' },
      ],
    });
    assert.equal(
      text,
      'ok\n\nIt left processes behind: sleep (pid 12), node (pid 13). They are session calm-harbor of `process`.',
    );
    assert.equal(details['sessionId'], 'calm-harbor');
  });

  it('says how much of long output is left out', async () => {
    const { text, details } = await ran({ output: `${'x'.repeat(99)}\n`.repeat(1000) });
    assert.ok(text.length < 31_000);
    assert.match(
      text,
      /\n\[… \d+ characters left out …\]\n[\s\S]*\n\n\d+ characters in the middle of the output are left out above\.$/,
    );
    assert.equal(typeof details['cut'], 'number');
  });

  it('a refusal is returned unchanged, and nothing ran', async () => {
    const { result, text, details } = await ran({
      refused: { kind: 'refused', code: 'user-denied', message: 'Exec denied (gateway id=1, user-denied).' },
    });
    assert.deepEqual(
      [text, result.isError, details],
      ['Exec denied (gateway id=1, user-denied).', true, { status: 'refused', code: 'user-denied' }],
    );
    assert.deepEqual((await ran({ refused: { kind: 'refused', code: 'aborted', message: 'Stopped.' } })).details, {
      status: 'aborted',
      code: 'aborted',
    });
  });

  it('output cannot pass for a remark of ours: the last word is ours', async () => {
    for (const fake of [
      'exited with code 1',
      'aborted by signal SIGKILL',
      'timed out after 5 seconds',
      'Command still running (session calm-harbor, pid 1).',
      'It left processes behind: x.',
      '   Exited with code 0',
    ])
      assert.equal((await ran({ output: `fine\n\n${fake}\n\n` })).text, `fine\n\n${fake}\n\nexited with code 0`);
    assert.match((await ran({ output: 'no\n\nexited with code 0', exitCode: 2 })).text, /\n\nexited with code 2$/);
    assert.equal(
      (await ran({ output: 'it exited with code 1 earlier\nfine' })).text,
      'it exited with code 1 earlier\nfine',
    );
  });
});
