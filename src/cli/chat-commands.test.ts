/** `chat` in a terminal: its own commands, tools on a line, pictures, and outside text that tries to steer it. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { STEERING } from '../testing/steering-texts.ts';
import { runCli } from './cli.ts';
import { type Answers, fakeTerminal } from './fake.ts';
import { canDraw, drawn, pictureProtocol } from './terminal-pictures.ts';
import { terminalLine, terminalText } from './terminal-text.ts';
import { toolLine } from './tool-line.ts';

type Emit = (event: string, payload: unknown) => void;

const said = (text: string, more: object = {}) => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  timestamp: 0,
  ...more,
});
const row = (key: string, more: object = {}) => ({ key, updatedAt: Date.now(), ...more });

const run = (answers: Answers, stdin: string, vars: Record<string, string> = {}) => {
  const io = fakeTerminal({ answers, stdin, vars });
  return { io, code: runCli(['chat'], io) };
};
const everything = (io: ReturnType<typeof fakeTerminal>): string =>
  [...io.lines, ...io.errors, io.written(), io.signs()].join('\n');

test('sessions are listed page by page, switched to by number or key, and the history of one is shown', async () => {
  const pages = [
    { sessions: [row('agent:main:main', { label: 'Taxes' })], nextOffset: 1 },
    { sessions: [row('agent:main:web:two', { derivedTitle: 'Lisbon' })] },
  ];
  const { io, code } = run(
    {
      'sessions.list': ({ offset }: { offset?: number }) => pages[offset ?? 0],
      'sessions.resolve': ({ key }: { key: string }) => (key.startsWith('agent:') ? { ok: true, key } : { ok: false }),
      'chat.history': {
        messages: [
          {
            role: 'user',
            content: [{ type: 'text', text: '[Ann] hi' }],
            written: { text: 'hi', files: [], by: 'Ann' },
          },
          { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'read', arguments: {} }] },
          { role: 'toolResult', content: [{ type: 'text', text: 'x' }] },
          said('hello'),
        ],
        nextOffset: 4,
      },
      'chat.send': ({ idempotencyKey: runId }: { idempotencyKey: string }, emit: Emit) =>
        emit('chat', { runId, state: 'final', message: said('ok') }),
    },
    '/sessions\n/switch 9\n/sessions more\n/switch 2\n/history\nbefore the answer\n/switch nowhere\n/switch\n/quit\n',
  );
  assert.equal(await code, 0);
  const out = io.lines.join('\n');
  assert.match(out, /1 {2}agent:main:main .*Taxes\nThere are more: \/sessions more/);
  assert.match(out, /2 {2}agent:main:web:two .*Lisbon\nIn session agent:main:web:two\./);
  assert.match(out, /Ann: hi\nagent: \(1 tool call\)\nagent: hello\n\(Older messages: \/history 20\)/);
  assert.match(out, /New session nowhere\./);
  assert.match(io.errors.join('\n'), /not a terminal[^]*no session 9 in the list[^]*Which one\?/);
  const sent = io.requests.filter(({ method }) => method === 'chat.send').map(({ params }) => params.sessionKey);
  assert.deepEqual(sent, ['agent:main:web:two']);
});

test('a refused command of ours is told and the conversation goes on', async () => {
  const { io, code } = run({}, '/sessions\n/quit\n');
  assert.equal(await code, 0);
  assert.match(io.errors.join('\n'), /unknown method: sessions\.list/);
});

test('a tool is one line when it begins and one when it ends', () => {
  assert.equal(toolLine({ name: 'bash', phase: 'start', args: { command: 'ls -la\npwd' } }), '→ bash ls -la pwd');
  assert.equal(toolLine({ name: 'odd', phase: 'start', args: { n: 1 } }), '→ odd {"n":1}');
  assert.equal(toolLine({ name: 'read', phase: 'end', ms: 12, output: 'a\nb\nc' }), '✓ read 12 ms (3 lines)');
  assert.equal(
    toolLine({ name: 'bash', phase: 'end', ms: 2340, failed: true, output: 'exit 1' }),
    '✗ bash 2.3 s exit 1',
  );
});

test('tools, an embed and the end of a turn come in their order', async () => {
  const { io, code } = run(
    {
      'chat.send': ({ idempotencyKey: runId }: { idempotencyKey: string }, emit: Emit) => {
        const tool = (data: object) =>
          emit('agent', { runId, stream: 'tool', data: { sessionKey: 'main', name: 'bash', ...data } });
        emit('chat', { runId, state: 'delta', deltaText: 'Let me look.', message: said('Let me look.') });
        tool({ phase: 'start', args: { command: 'uptime' } });
        tool({ phase: 'update', partialResult: 'x' });
        tool({ phase: 'result', result: { content: [{ type: 'text', text: 'up' }] }, durationMs: 5 });
        const preview = { title: 'Plan', url: '/__openclaw__/canvas/documents/1/index.html' };
        const message = said('Let me look.');
        emit('chat', {
          runId,
          state: 'final',
          message: { ...message, content: [...message.content, { type: 'canvas', preview }] },
        });
      },
    },
    'go\n/quit\n',
  );
  assert.equal(await code, 0);
  assert.deepEqual(io.errors.slice(1), ['  → bash uptime', '  ✓ bash 5 ms']);
  assert.match(io.written(), /^Let me look\.\n\n\[Plan\] is shown in the Control UI: .* dashboard$/);
});

test('pictures are drawn where the terminal has a protocol, and named elsewhere', async () => {
  const tty = (vars: Record<string, string>) =>
    pictureProtocol({ stdout: { isTTY: true } as never, variable: (name) => vars[name] });
  assert.equal(tty({ KITTY_WINDOW_ID: '1' }), 'kitty');
  assert.equal(tty({ TERM: 'xterm-ghostty' }), 'kitty');
  assert.equal(tty({ TERM_PROGRAM: 'iTerm.app' }), 'iterm2');
  assert.equal(tty({ TERM_PROGRAM: 'iTerm.app', TMUX: '1' }), undefined);
  assert.equal(tty({ TERM: 'xterm-256color' }), undefined);
  assert.equal(pictureProtocol({ stdout: {} as never, variable: () => 'kitty' }), undefined, 'a pipe draws nothing');
  assert.equal(canDraw('kitty', 'image/jpeg'), false);
  assert.equal(canDraw('iterm2', 'image/jpeg'), true);
  assert.equal(canDraw('iterm2', 'image/svg+xml'), false);
  const parts = drawn('kitty', Buffer.alloc(7000, 1)).split('\u001b\\');
  assert.deepEqual(
    [parts[0]!.startsWith('\u001b_Ga=T,f=100,m=1;'), parts[2]!.startsWith('\u001b_Gm=0;')],
    [true, true],
    'in parts, the last one marked',
  );

  const io = fakeTerminal({
    answers: {
      'chat.send': ({ idempotencyKey: runId }: { idempotencyKey: string }, emit: Emit) =>
        emit('chat', {
          runId,
          sessionKey: 'main',
          state: 'final',
          message: said('Here.', { files: [{ id: 'f1', name: 'a.png', mime: 'image/png', size: 3 }] }),
        }),
      'chat.file': { content: Buffer.from('png').toString('base64') },
    },
    stdin: 'draw\n/quit\n',
    vars: { TERM_PROGRAM: 'iTerm.app' },
  });
  Object.assign(io.stdout, { isTTY: true });
  assert.equal(await runCli(['chat'], io), 0);
  assert.match(io.written(), /\u001b\]1337;File=inline=1;size=3;preserveAspectRatio=1:cG5n\u0007\n/);
  assert.equal(io.lines.at(-1), 'a.png');
});

test('Esc stops the answer and nothing else', async () => {
  const stdin = new PassThrough();
  const io = fakeTerminal({
    answers: {
      'chat.send': ({ idempotencyKey: runId }: { idempotencyKey: string }, emit: Emit) => {
        emit('chat', { runId, state: 'delta', deltaText: 'So', message: said('So') });
        setImmediate(() => {
          stdin.emit('keypress', undefined, { name: 'escape' });
          stdin.emit('keypress', undefined, { name: 'escape' });
        });
      },
      'chat.abort': (_: object, emit: Emit) =>
        emit('chat', { runId: io.requests[0]!.params.idempotencyKey, state: 'aborted', message: said('So') }),
    },
    stdin,
  });
  const code = runCli(['chat'], io);
  stdin.write('go on\n');
  await new Promise<void>((resolve) => {
    const seen = setInterval(() => {
      if (!io.lines.includes(' [stopped]')) return;
      clearInterval(seen);
      resolve();
    }, 1);
  });
  stdin.emit('keypress', undefined, { name: 'escape' });
  stdin.end('/quit\n');
  assert.equal(await code, 0);
  assert.equal(io.requests.filter(({ method }) => method === 'chat.abort').length, 1);
});

// oxlint-disable-next-line no-control-regex
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('no outside text steers the terminal, wherever it comes from, also cut in two by the stream', async (t) => {
  const shown = STEERING.map(async (text) => {
    const { io, code } = run(
      {
        'sessions.list': { sessions: [row(`agent:main:web:${text}`, { label: text })] },
        'sessions.resolve': { ok: true, key: `agent:main:${text}` },
        'chat.history': {
          messages: [
            { role: 'user', content: [{ type: 'text', text }], written: { text, files: [], by: text } },
            said(text),
          ],
        },
        'chat.send': ({ idempotencyKey: runId }: { idempotencyKey: string }, emit: Emit) => {
          const tool = (data: object) =>
            emit('agent', { runId, stream: 'tool', data: { sessionKey: 'main', name: text, ...data } });
          emit('agent', { runId, stream: 'understanding', data: { sessionKey: 'main', text } });
          tool({ phase: 'start', args: { command: text } });
          tool({ phase: 'result', isError: true, result: { content: [{ type: 'text', text }] } });
          for (let at = 1; at <= text.length; at++)
            emit('chat', { runId, state: 'delta', deltaText: text[at - 1], message: said(text.slice(0, at)) });
          const files = [{ id: 'f', name: text, mime: text, size: 1 }];
          emit('chat', {
            runId,
            sessionKey: text,
            state: 'error',
            errorMessage: text,
            message: said(text, { files, told: [{ text, files }] }),
          });
        },
      },
      '/sessions\n/switch 1\n/history\nhello\n/quit\n',
    );
    assert.equal(await code, 0);
    const all = everything(io);
    assert.doesNotMatch(all, STEERS, JSON.stringify(text));
    return all;
  });
  const outputs = await Promise.all(shown);
  assert.ok(outputs.every((all) => all.length > 200));
  t.diagnostic(`${STEERING.length * 9} hostile cases in the terminal: 0 steered it`);
  assert.equal(terminalText('a\tb\r\nc'), 'a\tb\nc');
  assert.equal(terminalLine('a\n\u001b[31mb', 12), 'a ⟨U+001B⟩[…');
});
