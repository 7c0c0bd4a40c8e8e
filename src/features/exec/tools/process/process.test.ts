/** The process tool: every action, every way it can fail, word for word. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ToolResult } from '../../../../core/tool.ts';
import { textOf } from '../../../../core/transcript.ts';
import { createFakeShell, type FakeSession, type FakeShell } from '../../../../testing/fake-shell.ts';
import { createFakeClock, type FakeClock } from '../../../../testing/fake-clock.ts';
import { runTool, toolContext, toolContract } from '../../../../testing/tool-contract.ts';
import { duration } from './duration.ts';
import process from './index.ts';

const withOne = (): FakeShell => {
  const shell = createFakeShell();
  shell.background('sleep 60');
  return shell;
};

toolContract({
  tool: process,
  shell: withOne,
  good: { action: 'log', sessionId: 'calm-harbor' },
  bad: [
    { input: {}, says: /action: say what to do: list, poll/ },
    { input: { action: 'poll', timeout: 'x' }, says: /timeout/ },
    { input: { action: 'send-keys', keys: {} }, says: /keys/ },
  ],
  failing: [
    { input: { action: 'poll' }, says: /^sessionId is required for this action\.$/ },
    { input: { action: 'poll', sessionId: '  ' }, says: /^sessionId is required/ },
    { input: { action: 'dance' }, says: /^Unknown action dance\. Use one of list, poll/ },
    { input: { action: 'toString' }, says: /^Unknown action/ },
    { input: { action: 'log', sessionId: 'none' }, says: /^No session found for none\.$/ },
  ],
});

interface Harness {
  readonly clock: FakeClock;
  readonly shell: FakeShell;
  readonly session: FakeSession;
  ask(input: Record<string, unknown>): Promise<{ result: ToolResult; text: string; details: Record<string, unknown> }>;
}

function harness(command = 'server', pty = false): Harness {
  const clock = createFakeClock();
  const shell = createFakeShell({}, clock);
  const session = shell.background(command, { runs: true, pty });
  return {
    clock,
    shell,
    session,
    async ask(input) {
      const result = await runTool(
        process,
        { sessionId: session.id, timeout: 0, ...input },
        toolContext('/work', { shell }),
      );
      return { result, text: textOf(result.content), details: result.details as Record<string, unknown> };
    },
  };
}

describe('process list', () => {
  it('T2 T3 shows one line each, newest first, padded and named', async () => {
    const { ask, shell, session, clock } = harness('echo hello');
    session.end({ exitCode: 0 });
    await clock.advance(5);
    shell.background('npm run watch --all');
    await clock.advance(185_000);
    const { text, details } = await ask({ action: 'list', sessionId: undefined });
    assert.equal(text, 'brave-otter running   3m05s :: npm run\ncalm-harbor completed 0ms :: echo hello');
    const [first] = details['sessions'] as Record<string, unknown>[];
    assert.deepEqual(
      [details['status'], first?.['sessionId'], first?.['status'], first?.['runtimeMs'], first?.['command']],
      ['completed', 'brave-otter', 'running', 185_000, 'npm run watch --all'],
    );
  });

  it('says when there are none', async () => {
    const result = await runTool(process, { action: 'LIST' }, toolContext('/work', { shell: createFakeShell() }));
    assert.deepEqual(
      [textOf(result.content), result.details],
      ['No running or recent sessions.', { status: 'completed', sessions: [] }],
    );
  });
});

describe('process poll', () => {
  it('T70 shows only what is new', async () => {
    const { ask, session } = harness();
    session.print('one\n');
    assert.equal((await ask({ action: 'poll' })).text, 'one\n\nProcess still running.');
    session.print('two\n');
    assert.equal((await ask({ action: 'poll' })).text, 'two\n\nProcess still running.');
    assert.equal((await ask({ action: 'poll' })).text, '(no new output)\n\nProcess still running.');
  });

  it('T71 after the end: the rest of the output, then the result', async () => {
    const { ask, session } = harness();
    session.print('one\ntwo\n');
    session.end({ exitCode: 0 });
    const { text, details, result } = await ask({ action: 'poll' });
    assert.equal(text, 'one\ntwo\n\nProcess exited with code 0.');
    assert.deepEqual(
      [details['status'], details['exitCode'], details['aggregated'], result.isError],
      ['completed', 0, 'one\ntwo\n', undefined],
    );
    assert.equal((await ask({ action: 'poll' })).text, '(no new output)\n\nProcess exited with code 0.');
  });

  it('T4 a failed end is an error', async () => {
    const { ask, session } = harness();
    session.end({ exitSignal: 'SIGKILL', endReason: 'timeout' });
    const { text, result, details } = await ask({ action: 'poll' });
    assert.deepEqual(
      [text, result.isError, details['status'], details['timedOut']],
      ['(no new output)\n\nProcess timed out after 1800 seconds and exited with signal SIGKILL.', true, 'failed', true],
    );
  });

  it('waits for news as long as it is asked to, and no longer than half a minute', async () => {
    const { ask, session, clock } = harness();
    const waiting = ask({ action: 'poll', timeout: 999_999 });
    await clock.advance(20_000);
    session.print('there\n');
    assert.equal((await waiting).text, 'there\n\nProcess still running.');
    const inVain = ask({ action: 'poll', timeout: 999_999 });
    await clock.advance(30_000);
    assert.match(
      (await inVain).text,
      /^\(no new output\)\n\nProcess still running\. It has been silent for 30s and may be waiting for input\.$/,
    );
  });

  it('says when it knows neither code nor signal', async () => {
    const { ask, session } = harness();
    session.end({ endReason: 'lost' });
    assert.match(
      (await ask({ action: 'poll' })).text,
      /Process ended while the gateway was not running; its exit status is unknown\.$/,
    );
  });
});

describe('process log', () => {
  it('T61 T62 shows windows', async () => {
    const { ask, session } = harness();
    session.print('one\ntwo\nthree\n');
    const { text, details } = await ask({ action: 'log', limit: 2 });
    assert.equal(text, 'two\nthree\n\n[Lines 1 to 2 of 3, counted from 0; offset=0 limit=1 shows those before.]');
    assert.deepEqual(
      [
        details['output'],
        details['total'],
        details['totalLines'],
        details['totalChars'],
        details['truncated'],
        details['status'],
      ],
      ['two\nthree', 3, 3, 14, false, 'running'],
    );
    assert.match((await ask({ action: 'log', offset: 1, limit: 1 })).text, /^two\n\n\[Lines 1 to 1 of 3/);
    assert.equal((await ask({ action: 'log' })).text, 'one\ntwo\nthree');
  });

  it('T79 shows the last 200 of many, and how to see the others', async () => {
    const { ask, session } = harness();
    session.print(Array.from({ length: 10_000 }, (_, index) => `${index}\n`).join(''));
    assert.match(
      (await ask({ action: 'log' })).text,
      /^9800\n[\s\S]*9999\n\n\[Lines 9800 to 9999 of 10000, counted from 0; offset=9600 limit=200 shows those before\.\]$/,
    );
    assert.match(
      (await ask({ action: 'log', offset: 100, limit: 2 })).text,
      /^100\n101\n\n\[.*offset=98 limit=2 shows those before, offset=102 shows those behind\.\]$/,
    );
  });

  it('never shows more than a model can read, and says where to go on', async () => {
    const { ask, session } = harness();
    session.print(
      Array.from({ length: 2000 }, (_, index) => `${String(index).padStart(4, '0')} ${'x'.repeat(94)}\n`).join(''),
    );
    const { text } = await ask({ action: 'log', offset: 0 });
    assert.ok(text.startsWith('0000 ') && text.length < 31_000);
    assert.match(text, /\[Lines 0 to 299 of 2000, counted from 0; offset=300 shows those behind\.\]$/);
    assert.match((await ask({ action: 'log', limit: 1000 })).text, /^1700 [\s\S]*\[Lines 1700 to 1999 of 2000/);
    const long = harness();
    long.session.print('y'.repeat(100_000));
    assert.match((await long.ask({ action: 'log' })).text, /^\[this line has 100000 characters …\] y+$/);
    assert.match((await long.ask({ action: 'log', offset: 0 })).text, /^y+ \[… this line has 100000 characters\]$/);
  });

  it('says when there is nothing', async () => {
    const { ask, session } = harness();
    assert.equal((await ask({ action: 'log' })).text, '(no output)');
    session.print('a\n');
    assert.equal((await ask({ action: 'log', limit: 0 })).text, '(no lines here; there are 1, counted from 0)');
    assert.equal((await ask({ action: 'log', offset: 9 })).text, '(no lines here; there are 1, counted from 0)');
  });
});

describe('process input', () => {
  it('T73 writes, closes, and says when nothing more can be written', async () => {
    const { ask, session } = harness();
    assert.equal((await ask({ action: 'write', data: 'grüß\n' })).text, 'Wrote 7 bytes to session calm-harbor.');
    assert.equal(
      (await ask({ action: 'write', eof: true })).text,
      'Wrote 0 bytes to session calm-harbor and closed its stdin.',
    );
    assert.deepEqual([session.input().toString(), session.inputClosed()], ['grüß\n', true]);
    const { text, result, details } = await ask({ action: 'write', data: 'x' });
    assert.deepEqual(
      [text, result.isError, details['status']],
      ['Session calm-harbor stdin is not writable.', true, 'failed'],
    );
  });

  it('T72 knows no active session once it ended', async () => {
    const { ask, session } = harness();
    session.end({ exitCode: 0 });
    for (const input of [
      { action: 'write', data: 'x' },
      { action: 'submit' },
      { action: 'paste', text: 'x' },
      { action: 'send-keys', keys: ['x'] },
      { action: 'kill' },
    ])
      assert.equal((await ask(input)).text, 'No active session found for calm-harbor.');
    assert.equal((await ask({ action: 'write', sessionId: 'nobody' })).text, 'No active session found for nobody.');
  });

  it('T66 submit sends Return in a terminal, a line feed into a pipe', async () => {
    const terminal = harness('vim', true);
    await terminal.ask({ action: 'submit' });
    assert.equal(terminal.session.input().toString(), '\r');
    const pipe = harness('cat');
    await pipe.ask({ action: 'submit', data: 'yes' });
    assert.equal(pipe.session.input().toString(), 'yes\n');
  });

  it('T68 paste is bracketed by default, and the pasted text cannot end it', async () => {
    const { ask, session } = harness('vim', true);
    await ask({ action: 'paste', text: 'a\x1b[201~b' });
    assert.equal(session.input().toString(), '\x1b[200~ab\x1b[201~');
    const plain = harness();
    await plain.ask({ action: 'paste', text: 'ab', bracketed: false });
    assert.equal(plain.session.input().toString(), 'ab');
    const { text, details } = await plain.ask({ action: 'paste', text: '', bracketed: false });
    assert.deepEqual([text, details['status']], ['No paste text provided.', 'failed']);
  });

  it('T67 sends literal text, then bytes, then keys, and says what it could not read', async () => {
    const { ask, session } = harness('vim', true);
    const { text } = await ask({
      action: 'send_keys',
      literal: 'hi',
      hex: ['1b', '0xff', 'zz'],
      keys: ['Enter', 'C-Nope'],
    });
    assert.deepEqual([...session.input()], [...Buffer.from('hi'), 0x1b, 0xff, 0x0d, ...Buffer.from('C-Nope')]);
    assert.equal(
      text,
      'Sent 11 bytes to session calm-harbor.\n"zz" is not a hex byte and was skipped.\n"C-Nope" is not a key; ' +
        'it was typed literally.',
    );
    assert.match((await ask({ action: 'send-keys', hex: ['xyz'] })).text, /^No key data provided\.\n"xyz"/);
    assert.equal((await ask({ action: 'send-keys' })).text, 'No key data provided.');
  });
});

describe('process end', () => {
  it('T74 kill, then poll says so', async () => {
    const { ask } = harness();
    const killed = await ask({ action: 'kill' });
    assert.deepEqual(
      [killed.text, killed.details['status'], killed.result.isError],
      ['Killed session calm-harbor.', 'failed', undefined],
    );
    const { text, details } = await ask({ action: 'poll' });
    assert.deepEqual(
      [text, details['status'], details['exitSignal']],
      ['(no new output)\n\nProcess exited with signal SIGKILL.', 'failed', 'SIGKILL'],
    );
  });

  it('T75 remove ends a running one and forgets it', async () => {
    const { ask } = harness();
    assert.equal((await ask({ action: 'remove' })).text, 'Removed session calm-harbor.');
    assert.equal((await ask({ action: 'list' })).text, 'No running or recent sessions.');
    assert.equal((await ask({ action: 'remove' })).text, 'No session found for calm-harbor.');
  });

  it('T76 clear is for ended ones', async () => {
    const { ask, session } = harness();
    assert.match((await ask({ action: 'clear' })).text, /^No finished session found for calm-harbor/);
    session.end({ exitCode: 1 });
    assert.equal((await ask({ action: 'clear' })).text, 'Cleared session calm-harbor.');
    assert.equal((await ask({ action: 'clear' })).text, 'No finished session found for calm-harbor.');
  });

  it('T77 T80 trouble is answered, not thrown', async () => {
    const { ask } = harness();
    for (const [input, says] of [
      [{ action: 'kill', sessionId: '' }, 'sessionId is required for this action.'],
      [{ action: 'poll', sessionId: 'x' }, 'No session found for x.'],
    ] as const) {
      const { text, result, details } = await ask(input);
      assert.deepEqual([text, result.isError, details['status']], [says, true, 'failed']);
    }
  });

  it('says when a process is not in the background', async () => {
    const shell = createFakeShell();
    const processes = { ...shell.processes, kill: async () => 'foreground' as const };
    const result = await runTool(
      process,
      { action: 'kill', sessionId: 'a' },
      toolContext('/work', { shell: { ...shell, processes } }),
    );
    assert.equal(textOf(result.content), 'Session a is not backgrounded.');
  });
});

it('durations read as in the manual', () => {
  assert.deepEqual([0, 450, 999.9, 1000, 12_345, 59_999, 60_000, 185_000, 3_600_000, 7_620_000, -1].map(duration), [
    '0ms',
    '450ms',
    '999ms',
    '1s',
    '12s',
    '59s',
    '1m00s',
    '3m05s',
    '1h00m',
    '2h07m',
    '0ms',
  ]);
});
