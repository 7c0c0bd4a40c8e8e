/** `agent` and `chat` against a gateway that streams an answer. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { type Answers, fakeTerminal } from './fake.ts';
import { runCli } from './cli.ts';

type Emit = (event: string, payload: unknown) => void;
interface Params {
  readonly message: string;
  readonly idempotencyKey: string;
  readonly sessionKey?: string;
}

const said = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }], timestamp: 0 });

/** Says the message back in two parts, after a part of somebody else's turn. */
const echo = ({ message, idempotencyKey: runId }: Params, emit: Emit) => {
  emit('chat', { runId: 'another', state: 'delta', deltaText: 'not for you', message: said('not for you') });
  emit('chat', { runId, state: 'delta', deltaText: 'You said ', message: said('You said ') });
  emit('chat', { runId, state: 'delta', deltaText: message, message: said(`You said ${message}`) });
  emit('chat', { runId, state: 'final', message: said(`You said ${message}`), usage: { input: 3 } });
  return { runId, status: 'started' };
};

const run = (argv: string[], answers: Answers, stdin: string | PassThrough = '') => {
  const io = fakeTerminal({ answers, stdin });
  return { io, code: runCli(argv, io) };
};

test('agent prints the answer and nothing else', async () => {
  const { io, code } = run(['agent', '--message', 'hello'], { agent: echo });
  assert.deepEqual([await code, io.lines, io.errors], [0, ['You said hello'], []]);
});

test('agent passes on who, where and how', async () => {
  const { io, code } = run(
    [
      'agent',
      '--message',
      'x',
      '--agent',
      'work',
      '--session',
      'agent:work:main',
      '--model',
      'a/b',
      '--thinking',
      'high',
      '--timeout',
      '5',
    ],
    { agent: echo },
  );
  await code;
  const { idempotencyKey, ...params } = io.requests[0]!.params;
  assert.deepEqual(params, {
    message: 'x',
    agentId: 'work',
    sessionKey: 'agent:work:main',
    model: 'a/b',
    thinking: 'high',
    timeout: 5,
  });
  assert.match(idempotencyKey, /^[0-9a-f-]{36}$/);
});

test('agent sends a file along, and tells on standard error what is being read', async () => {
  await using dir = await tempDir('attach');
  await writeFile(join(dir.path, 'a.csv'), 'x,1');
  const reads = (params: Params, emit: Emit) => {
    for (const runId of ['another', params.idempotencyKey])
      emit('agent', {
        runId,
        seq: 0,
        stream: 'understanding',
        ts: 0,
        data: { text: `Reading a.csv for ${runId === 'another' ? 'them' : 'you'}` },
      });
    return echo(params, emit);
  };
  const { io, code } = run(['agent', '--message', 'sum up', '--attach', join(dir.path, 'a.csv')], { agent: reads });
  assert.deepEqual([await code, io.lines, io.errors], [0, ['You said sum up'], ['… Reading a.csv for you']]);
  assert.deepEqual(io.requests[0]!.params.attachments, [{ fileName: 'a.csv', content: 'eCwx' }]);
  const missing = run(['agent', '--message', 'x', '--attach', join(dir.path, 'none')], { agent: echo });
  assert.deepEqual([await missing.code, missing.io.errors[0]!.startsWith('--attach: file not found: ')], [1, true]);
});

test('agent --json is one JSON document', async () => {
  const { io, code } = run(['agent', '--message', 'hello', '--json'], { agent: echo });
  assert.equal(await code, 0);
  const { runId, ...answer } = JSON.parse(io.lines.join('\n'));
  assert.deepEqual(answer, { status: 'final', text: 'You said hello', usage: { input: 3 } });
  assert.equal(runId, io.requests[0]!.params.idempotencyKey);
});

test('agent reads the message from standard input for `-`', async () => {
  const { io, code } = run(['agent', '--message', '-'], { agent: echo }, 'a\nb');
  assert.deepEqual([await code, io.lines], [0, ['You said a\nb']]);
});

test('a turn that fails keeps what was said, tells why and exits with 1', async () => {
  const fail = ({ idempotencyKey: runId }: Params, emit: Emit) =>
    emit('chat', { runId, state: 'error', errorMessage: 'The model is down.', message: said('Well') });
  const { io, code } = run(['agent', '--message', 'x'], { agent: fail });
  assert.deepEqual([await code, io.lines, io.errors], [1, ['Well'], ['The model is down.']]);
});

test('a gateway that ends during an answer is reported', async () => {
  const vanish = (_params: Params, emit: Emit) => emit('disconnected', undefined);
  const { io, code } = run(['agent', '--message', 'x'], { agent: vanish });
  assert.equal(await code, 1);
  assert.match(io.errors[0]!, /closed the connection/);
});

test('chat streams answers to the lines it reads until /quit', async () => {
  const { io, code } = run(['chat'], { 'chat.send': echo }, 'one\n\ntwo\n/quit\nthree\n');
  assert.equal(await code, 0);
  assert.deepEqual(
    io.requests.map(({ params }) => [params.sessionKey, params.message]),
    [
      ['main', 'one'],
      ['main', 'two'],
    ],
  );
  assert.equal(io.written(), 'You said oneYou said two');
});

test(
  'chat shows the words that come with the end only, those a slow reader missed, and a second message on its ' +
    'own line',
  async () => {
    const { io, code } = run(
      ['chat'],
      {
        'chat.send': ({ idempotencyKey: runId }: Params, emit: Emit) => {
          emit('chat', { runId, state: 'delta', deltaText: 'I', message: said('I') });
          emit('chat', { runId, state: 'delta', deltaText: ' the', message: said('I am the') });
          emit('chat', { runId, state: 'delta', deltaText: 'Then', replace: true, message: said('Then') });
          emit('chat', { runId, state: 'final', message: said('Then the end.') });
          return { runId, status: 'started' };
        },
      },
      'hello\n',
    );
    assert.equal(await code, 0);
    assert.equal(io.written(), 'I am the\nThen the end.');
  },
);

test('the first interrupt stops the answer, the next one ends the chat', async () => {
  const stopped = Promise.withResolvers<void>();
  const { io, code } = run(
    ['chat', '--agent', 'work'],
    {
      'chat.send': ({ idempotencyKey: runId }: Params, emit: Emit) => {
        emit('chat', { runId, state: 'delta', deltaText: 'A long story', message: said('A long story') });
        stopped.promise.then(() => emit('chat', { runId, state: 'aborted', message: said('A long story') }));
        setImmediate(() => io.interrupt());
        return { runId, status: 'started' };
      },
      'chat.abort': () => {
        stopped.resolve();
        setImmediate(() => io.interrupt());
        return { ok: true };
      },
    },
    'tell me\n',
  );
  assert.equal(await code, 0);
  assert.deepEqual(
    io.requests.map(({ method }) => method),
    ['chat.send', 'chat.abort'],
  );
  assert.equal(io.requests[1]!.params.sessionKey, 'agent:work:main');
  assert.deepEqual(io.lines, [' [stopped]']);
});

test('an interrupt between answers ends the chat', async () => {
  const stdin = new PassThrough();
  const { io, code } = run(
    ['chat'],
    {
      'chat.send': (params: Params, emit: Emit) => {
        setImmediate(() => setImmediate(() => io.interrupt()));
        return echo(params, emit);
      },
    },
    stdin,
  );
  stdin.write('hello\n');
  assert.deepEqual([await code, io.errors.map((line) => line.slice(0, 17))], [0, ['Standard input is']]);
  assert.equal(io.written(), 'You said hello');
});

test('a second interrupt ends the chat even when the gateway does not answer the first', async () => {
  const { io, code } = run(
    ['chat'],
    {
      'chat.send': ({ idempotencyKey: runId }: Params) => {
        setImmediate(() => io.interrupt());
        return { runId, status: 'started' };
      },
      'chat.abort': () => {
        setImmediate(() => io.interrupt());
        return new Promise(() => {});
      },
    },
    new PassThrough().end('tell me\n') as PassThrough,
  );
  assert.equal(await code, 0);
});

const FILE = { id: `${'0'.repeat(32)}.png`, name: "it's a chart.png", mime: 'image/png', size: 2048 };
const given = ({ idempotencyKey: runId }: Params, emit: Emit) => {
  const message = { ...said('And the chart.'), files: [FILE], told: [{ text: 'The plan.', files: [] }] };
  emit('chat', { runId, sessionKey: 'agent:main:main', state: 'final', message });
  return { runId, status: 'started' };
};

test('agent prints what was given by name, with the command that saves it', async () => {
  const { io, code } = run(['agent', '--message', 'x'], { agent: given });
  assert.equal(await code, 0);
  assert.deepEqual(io.lines, ['The plan.', 'And the chart.', "[file] it's a chart.png (image/png, 2 KiB)"]);
  assert.match(
    io.errors.join('\n'),
    new RegExp(`^Save it: .* sessions file agent:main:main ${FILE.id} --out 'it'\\\\''s a chart\\.png'$`),
  );
  const json = run(['agent', '--message', 'x', '--json'], { agent: given });
  await json.code;
  assert.deepEqual(JSON.parse(json.io.lines.join('')).files, [FILE]);
});

test('sessions file saves a file whole, and not over one that is there', async () => {
  await using dir = await tempDir('session-file');
  const parts = [{ content: Buffer.from('ab').toString('base64'), nextOffset: 2 }, { content: 'Yw==' }];
  const answers: Answers = { 'chat.file': ({ offset }: { offset: number }) => parts[offset === 0 ? 0 : 1] };
  const out = join(dir.path, 'chart.png');
  const command = ['sessions', 'file', 'main', FILE.id, '--out', out];
  const first = run(command, answers);
  assert.deepEqual([await first.code, await readFile(out, 'utf8')], [0, 'abc']);
  assert.deepEqual(first.io.requests[1]!.params, { sessionKey: 'main', id: FILE.id, offset: 2 });
  const again = run(command, answers);
  assert.notEqual(await again.code, 0);
  assert.match(again.io.errors.join('\n'), /already exists; choose another with --out, or overwrite it with --force/);
  assert.equal(await run([...command, '--force'], answers).code, 0);
});
