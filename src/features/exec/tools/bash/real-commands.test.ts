/** bash and process on real children: what the model gets to read of them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ToolContext } from '../../../../core/tool.ts';
import { textOf } from '../../../../core/transcript.ts';
import { realShell, type RealShell } from '../../../../testing/real-shell.ts';
import { runTool, toolContext } from '../../../../testing/tool-contract.ts';
import processTool from '../process/index.ts';
import bash from './index.ts';
import { isAlive } from '../../../../testing/process-alive.ts';

interface Said {
  readonly text: string;
  readonly isError: boolean;
  readonly details: Record<string, unknown>;
}

/** An agent with its two tools. */
function agentOf(real: RealShell, agentId = 'main', extra: Partial<ToolContext> = {}) {
  const ctx = toolContext(real.workspace, { shell: real.shellOf(agentId), ...extra });
  const call = async (tool: typeof bash | typeof processTool, input: object): Promise<Said> => {
    const result = await runTool(tool, input, ctx);
    return {
      text: textOf(result.content),
      isError: result.isError === true,
      details: (result.details ?? {}) as Record<string, unknown>,
    };
  };
  const process = (action: string, sessionId: unknown, input: object = {}): Promise<Said> =>
    call(processTool, { action, sessionId, ...input });
  /** Everything up to the end, as an agent that goes on polling gets it. */
  const pollToEnd = async (sessionId: unknown): Promise<{ last: Said; output: string }> => {
    for (let output = '', polls = 0; polls < 50; polls++) {
      const last = await process('poll', sessionId, { timeout: 5000 });
      output += String(last.details['aggregated'] ?? '');
      if (last.details['status'] !== 'running') return { last, output };
    }
    throw new Error('It never ended.');
  };
  /** Polls until the output has it. */
  const pollUntil = async (sessionId: unknown, wanted: RegExp): Promise<string> => {
    for (let output = '', polls = 0; polls < 50; polls++) {
      const said = await process('poll', sessionId, { timeout: 5000 });
      output += String(said.details['aggregated'] ?? '');
      if (wanted.test(output)) return output;
      assert.equal(said.details['status'], 'running', output);
    }
    throw new Error('It never said so.');
  };
  return {
    run: (command: string, input: object = {}) => call(bash, { command, ...input }),
    process,
    pollToEnd,
    pollUntil,
  };
}

describe('bash on real commands', { skip: process.platform === 'win32' }, () => {
  it('T25 T26 T30 T31 tells output, code and signal', async () => {
    await using real = await realShell();
    const { run } = agentOf(real);
    const good = await run(
      'printf "out\\n"; printf "err\\n" >&2; printf "\\033[31mred\\033[0m caf\\303"; printf "\\251\\n"',
    );
    assert.deepEqual(
      [good.text, good.isError, good.details['exitCode'], good.details['cwd']],
      ['out\nerr\nred café', false, 0, real.workspace],
    );
    const bad = await run('echo oops; exit 3');
    assert.deepEqual([bad.text, bad.isError], ['oops\n\nexited with code 3', true]);
    assert.match((await run('kill -9 $$')).text, /aborted by signal SIGKILL$/);
    assert.equal((await run('true')).text, '(no output)');
    assert.deepEqual(await real.registry.list(), [], 'commands in the foreground leave no trace');
  });

  it('T27 T36 a timeout ends what ignores SIGTERM; 0 is none', async () => {
    await using real = await realShell({ timeoutSec: 0.3 });
    const { run } = agentOf(real);
    const late = await run("trap '' TERM; echo pid $$; sleep 60", { timeout: 0.2 });
    assert.match(late.text, /^pid \d+\n\ntimed out after 0\.2 seconds$/);
    assert.equal(late.isError, true);
    assert.equal(await isAlive(Number(/\d+/.exec(late.text)![0])), false);
    assert.equal((await run('sleep 0.5; echo past it', { timeout: 0 })).text, 'past it');
  });

  it('env and workdir are applied; T32 a missing folder is an error', async () => {
    await using real = await realShell();
    const { run } = agentOf(real);
    assert.equal((await run('echo "$A-$B"; pwd', { env: { A: 1, B: 'x y' }, workdir: '/' })).text, '1-x y\n/');
    const { text, details } = await run('pwd', { workdir: 'nowhere' });
    assert.match(text, /nowhere[^\n]*\n\n/);
    assert.ok(text.endsWith(String(details['cwd'])), text);
  });

  it('long output keeps both ends and says what is missing', async () => {
    await using real = await realShell();
    const { text } = await agentOf(real).run('i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done');
    assert.match(text, /^line 0\nline 1\n/);
    assert.match(
      text,
      /\[… (\d+) characters left out …\][\s\S]*line 19999\n\n\1 characters in the middle of the output are left out above\. All of it is in the log of session \S+: `process` shows it by lines\.$/,
    );
    assert.ok(text.length < 31_000);
  });

  it('T11 a stopped turn ends a command in the foreground; T7 T8 one in the background goes on to its timeout', async () => {
    await using real = await realShell();
    const stop = new AbortController();
    const { run } = agentOf(real, 'main', { signal: stop.signal, progress: () => stop.abort() });
    const { pollToEnd } = agentOf(real);
    const background = await run('sleep 60', { background: true, timeout: 1 });
    const stopped = await run('echo $$; exec sleep 60');
    assert.equal(stopped.isError, true);
    assert.equal(await isAlive(Number(/\d+/.exec(stopped.text)![0])), false, 'the child is gone');
    const { last } = await pollToEnd(background.details['sessionId']);
    assert.match(last.text, /timed out after 1 seconds/);
  });

  it('T22 without the process tool it stays in the foreground and says so', async () => {
    await using real = await realShell();
    const { run } = agentOf(real, 'main', { shell: real.shellOf('main', { mayBackground: false }) });
    const { text, details } = await run('sleep 0.2; echo end', { background: true, yieldMs: 10 });
    assert.match(text, /^Warning: background execution is disabled; running synchronously\.\n\nend$/);
    assert.equal(details['status'], 'completed');
  });

  it('names what a command left behind, which process can then end', async () => {
    await using real = await realShell();
    const { run, process } = agentOf(real);
    // A child carries the name of its shell until it has become another program.
    const become = 'until grep -q sleep /proc/$!/comm; do :; done';
    const left = await run(`sleep 300 >/dev/null 2>&1 & ${become}; echo started`);
    assert.match(
      left.text,
      /^started\n\nIt left processes behind: sleep \(pid \d+\)\. They are session \S+ of `process`\.$/,
    );
    const pid = Number(/pid (\d+)/.exec(left.text)![1]);
    assert.equal(await isAlive(pid), true);
    assert.equal((await process('kill', left.details['sessionId'])).isError, false);
    assert.equal(await isAlive(pid), false);
  });
});

describe('process on real commands', { skip: process.platform === 'win32' }, () => {
  it('T1 T2 T3 T70 T71 goes to the background, is listed, and tells everything once', async () => {
    await using real = await realShell();
    const { run, process, pollToEnd } = agentOf(real);
    const started = await run('echo one; until [ -e go ]; do sleep 0.05; done; echo two', { yieldMs: 10 });
    assert.match(started.text, /^Command still running \(session \S+, pid \d+\)\./);
    assert.match(
      (await process('list', undefined)).text,
      new RegExp(`^${String(started.details['sessionId'])} running   \\S+ :: echo one;?$`),
    );
    await writeFile(join(real.workspace, 'go'), '');
    const { output, last } = await pollToEnd(started.details['sessionId']);
    assert.equal(output, 'one\ntwo\n');
    assert.match(last.text, /Process exited with code 0\.$/);
    assert.match(
      (await process('poll', started.details['sessionId'])).text,
      /^\(no new output\)\n\nProcess exited with code 0\.$/,
    );
  });

  it('T4 T63 fails as it failed, and belongs to its agent alone', async () => {
    await using real = await realShell();
    const { run, pollToEnd } = agentOf(real, 'alpha');
    const { details } = await run('echo no; exit 4', { background: true });
    const beta = agentOf(real, 'beta');
    assert.equal((await beta.process('list', undefined)).text, 'No running or recent sessions.');
    for (const action of ['poll', 'log', 'kill', 'remove', 'clear', 'write'])
      assert.equal((await beta.process(action, details['sessionId'])).isError, true, action);
    const { last } = await pollToEnd(details['sessionId']);
    assert.deepEqual([last.isError, last.details['status'], last.details['exitCode']], [true, 'failed', 4]);
  });

  it('T72 T73 cat sees what is written and the end of it', async () => {
    await using real = await realShell();
    const { run, process, pollUntil, pollToEnd } = agentOf(real);
    const id = (await run('cat; echo over', { background: true })).details['sessionId'];
    assert.match((await process('write', id, { data: 'grüß\n' })).text, /^Wrote 7 bytes/);
    await pollUntil(id, /grüß\n/);
    await process('submit', id, { data: 'and this' });
    await pollUntil(id, /and this\n/);
    assert.match((await process('write', id, { data: 'end', eof: true })).text, /closed its stdin/);
    const late = await process('write', id, { data: 'x' });
    assert.match(late.text, /stdin is not writable|No active session/);
    assert.equal((await pollToEnd(id)).output, 'endover\n');
    assert.match((await process('write', id, { data: 'x' })).text, /^No active session found for/);
  });

  it('T28 T74 T75 T76 kill, remove, clear', async () => {
    await using real = await realShell();
    const { run, process, pollUntil } = agentOf(real);
    const start = async (): Promise<{ id: unknown; child: number }> => {
      const id = (await run('sleep 300 & echo child $!; wait', { background: true })).details['sessionId'];
      return { id, child: Number(/child (\d+)/.exec(await pollUntil(id, /child \d+\n/))![1]) };
    };
    const one = await start();
    assert.match((await process('clear', one.id)).text, /^No finished session found/);
    assert.match((await process('kill', one.id)).text, /^Killed session/);
    assert.equal(await isAlive(one.child), false);
    assert.match((await process('poll', one.id)).text, /Process exited with signal SIGKILL\.$/);
    assert.match((await process('clear', one.id)).text, /^Cleared/);
    const two = await start();
    assert.match((await process('remove', two.id)).text, /^Removed/);
    assert.equal(await isAlive(two.child), false);
    assert.equal((await process('list', undefined)).text, 'No running or recent sessions.');
  });

  it('T79 shows the last 200 of many lines, and pages', async () => {
    await using real = await realShell();
    const { run, process, pollToEnd } = agentOf(real);
    const id = (await run('i=0; while [ $i -lt 10000 ]; do echo $i; i=$((i+1)); done', { background: true })).details[
      'sessionId'
    ];
    await pollToEnd(id);
    assert.match(
      (await process('log', id)).text,
      /^9800\n[\s\S]*\n9999\n\n\[Lines 9800 to 9999 of 10000, counted from 0; offset=9600 limit=200 shows those before\.\]$/,
    );
    assert.match((await process('log', id, { offset: 5, limit: 2 })).text, /^5\n6\n\n/);
  });

  it('T18 T66 T67 keys reach a program in a terminal', async () => {
    await using real = await realShell();
    const { run, process, pollUntil, pollToEnd } = agentOf(real);
    const id = (
      await run(
        'test -t 0 && test -t 1 && echo terminal; read -r a; echo "[$a]"; read -r b; echo "<$b>"; trap "echo ' +
          'interrupted; exit 7" INT; echo ready; sleep 60 & wait',
        { background: true, pty: true },
      )
    ).details['sessionId'];
    await pollUntil(id, /terminal\n/);
    await process('send-keys', id, { literal: 'hello', keys: ['BSpace', 'Enter'] });
    await pollUntil(id, /\[hell\]\n/);
    await process('write', id, { data: 'twice' });
    await process('submit', id);
    await pollUntil(id, /<twice>[\s\S]*ready\n/);
    await process('send-keys', id, { keys: ['C-c'] });
    const { last, output } = await pollToEnd(id);
    assert.match(output, /interrupted/);
    assert.equal(last.details['exitCode'], 7);
  });

  it('progress bars, colours and binary data read well', async () => {
    await using real = await realShell();
    const { run } = agentOf(real);
    assert.equal(
      (await run("printf '10%%\\r50%%\\r100%%\\n'; printf '\\033]0;title\\007x\\n'; printf 'a\\bb\\n'")).text,
      '100%\nx\nb',
    );
    assert.equal((await run('head -c 5000 /dev/zero; echo; echo end')).text, '[binary output, not shown]\nend');
  });
});
