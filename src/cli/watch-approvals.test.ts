/**
 * A command that waits for a person while somebody waits in the terminal: it is shown there, and answered where there
 * is a keyboard.
 */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { WireApproval } from '../protocol/answers/approvals.ts';
import { AppError } from '../core/errors.ts';
import { runCli } from './cli.ts';
import { type Answers, fakeTerminal } from './fake.ts';

type Emit = (event: string, payload: unknown) => void;
const KEY = 'agent:main:main';
const approval = (id: string, sessionKey = KEY): WireApproval => ({
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
    sessionKey,
    steps: [],
    reasons: [],
    rememberable: false,
    elevated: false,
  },
});
const said = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }], timestamp: 0 });

/** A gateway whose turn runs a command that somebody has to allow; it ends once it is. `waits` waited before. */
function asking({ waits = [], list }: { waits?: readonly WireApproval[]; list?: () => never } = {}) {
  const turn = { emit: (() => {}) as Emit, runId: '', count: 0 };
  const start = ({ idempotencyKey: runId }: { idempotencyKey: string }, emit: Emit) => {
    Object.assign(turn, { emit, runId, count: turn.count + 1 });
    const { count } = turn;
    setImmediate(() =>
      [approval('dddd4444-4', 'agent:main:other'), approval(`aaaa1111-${count}`)].forEach((one) =>
        emit('exec.approval.requested', one),
      ),
    );
    return { runId, status: 'started', sessionKey: KEY };
  };
  const settle = (id: string, decision: string, resolvedBy: string): void => {
    turn.emit('exec.approval.resolved', { id, decision, resolvedBy, ts: 1 });
    turn.emit('chat', {
      runId: turn.runId,
      state: decision === 'withdrawn' ? 'aborted' : 'final',
      message: said('Done.'),
    });
  };
  const answers: Answers = {
    'exec.approval.list': list ?? waits,
    agent: start,
    'chat.send': start,
    'exec.approval.resolve': ({ id, decision }: { id: string; decision: string }) => {
      settle(id, decision, 'operator');
      return { ok: true };
    },
    'chat.abort': () => {
      settle('aaaa1111-1', 'withdrawn', 'nobody');
      return { ok: true };
    },
  };
  return { answers, settle };
}

function sitting(answers: Answers, { tty }: { tty: boolean }) {
  const stdin = Object.assign(new PassThrough(), tty ? { isTTY: true, setRawMode: () => stdin } : {}) as PassThrough;
  const io = fakeTerminal({ answers, stdin });
  Object.assign(io.stdout, tty ? { isTTY: true } : {});
  const shown = { text: '' };
  io.stdout.on('data', (chunk: Buffer) => void (shown.text += String(chunk)));
  const all = (): string => [...io.lines, ...io.errors, shown.text].join('\n');
  return {
    io,
    stdin,
    all,
    run: (...argv: string[]) => runCli(argv, io),
    /** Fails by the time limit of the run when it never comes. */
    async until(pattern: RegExp): Promise<void> {
      while (!pattern.test(all())) await new Promise((next) => setTimeout(next, 5));
    },
  };
}

test('without a keyboard agent tells what waits in its conversation and how to answer, and goes on once somebody did', async () => {
  const gateway = asking();
  const person = sitting(gateway.answers, { tty: false });
  const code = person.run('agent', '--message', 'x', '--json');
  await person.until(/approvals approve aaaa1111/);
  gateway.settle('aaaa1111-1', 'allow-once', 'telegram 4711');
  assert.equal(await code, 0);
  const errors = person.io.errors.join('\n');
  assert.match(errors, /│ run aaaa1111-1[^]*approvals deny aaaa1111[^]*allowed once by telegram 4711/);
  assert.doesNotMatch(errors, /dddd4444/, 'another conversation');
  assert.equal(JSON.parse(person.io.lines.join('')).text, 'Done.');
});

test('what waited in the conversation before is shown too: the message is behind it', async () => {
  const gateway = asking({ waits: [approval('bbbb2222-2'), approval('cccc3333-3', 'agent:main:other')] });
  const person = sitting(gateway.answers, { tty: false });
  const code = person.run('agent', '--message', 'x');
  await person.until(/run bbbb2222-2/);
  gateway.settle('bbbb2222-2', 'deny', 'operator');
  assert.equal(await code, 0);
  assert.doesNotMatch(person.all(), /cccc3333/);
});

test('a connection that may not answer says nothing of it and goes on', async () => {
  const gateway = asking({
    list: () => {
      throw new AppError('denied', 'missing scope: operator.approvals');
    },
  });
  const person = sitting(gateway.answers, { tty: false });
  const code = person.run('agent', '--message', 'x');
  await person.until(/aaaa1111/);
  gateway.settle('aaaa1111-1', 'expired', '');
  assert.equal(await code, 0);
  assert.doesNotMatch(person.all(), /missing scope/);
});

test('at a terminal agent asks; what was typed ahead answers nothing', { timeout: 120_000 }, async () => {
  const person = sitting(asking().answers, { tty: true });
  person.stdin.write('o\n');
  const code = person.run('agent', '--message', 'x');
  await person.until(/\[l\]ater\? /);
  assert.deepEqual(
    person.io.requests.filter(({ method }) => method === 'exec.approval.resolve'),
    [],
  );
  person.stdin.write('deny\n');
  assert.equal(await code, 0);
  assert.deepEqual(person.io.requests.at(-1), {
    method: 'exec.approval.resolve',
    params: { id: 'aaaa1111-1', decision: 'deny' },
  });
  assert.deepEqual(person.io.lines, ['Done.'], 'standard output is the answer alone');
});

test('Ctrl-C at the question stops the turn', { timeout: 120_000 }, async () => {
  const person = sitting(asking().answers, { tty: true });
  const code = person.run('agent', '--message', 'x');
  await person.until(/\[l\]ater\? /);
  person.stdin.write('\u0003');
  assert.equal(await code, 1);
  assert.equal(person.io.requests.at(-1)!.method, 'chat.abort');
});

test('chat asks between the lines of the conversation: an answer is no message, a message no answer', {
  timeout: 120_000,
}, async () => {
  const person = sitting(asking().answers, { tty: true });
  const code = person.run('chat');
  person.stdin.write('first\nsecond\n');
  await person.until(/\[l\]ater\? /);
  person.stdin.write('once\n');
  await person.until(/\[l\]ater\? [^]*Done\.[^]*\[l\]ater\? /);
  person.stdin.write('once\n');
  await person.until(/Done\.[^]*Done\./);
  person.stdin.write('/quit\n');
  assert.equal(await code, 0);
  assert.deepEqual(
    person.io.requests.flatMap(({ method, params }) =>
      method === 'chat.send' ? [params.message] : method === 'exec.approval.resolve' ? [params.decision] : [],
    ),
    ['first', 'allow-once', 'second', 'allow-once'],
  );
});

test('a gateway without approvals is not complained about', async () => {
  const gateway = asking();
  const refuse = () => {
    throw new AppError('invalid', 'unknown method: exec.approval.list', { details: { code: 'UNKNOWN_METHOD' } });
  };
  const person = sitting({ ...gateway.answers, 'exec.approval.list': refuse }, { tty: false });
  const code = person.run('agent', '--message', 'x', '--json');
  await person.until(/approvals approve aaaa1111/);
  gateway.settle('aaaa1111-1', 'allow-once', 'telegram 4711');
  assert.equal(await code, 0);
  assert.doesNotMatch(person.all(), /unknown method/);
});
