/** What the terminal says of processes and sandboxes, asked of a gateway that is played. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeTerminal, type Answers } from '../../../cli/fake.ts';
import { processesKill, processesList, processesLog } from './processes.ts';
import { sandboxExplain } from './sandbox-explain.ts';
import type { Run } from '../../../cli/command.ts';

const view = {
  sessionId: 'calm-harbor',
  status: 'running',
  name: 'npm run',
  command: 'npm run dev',
  host: 'sandbox',
  sessionKey: 'agent:main:main',
  runtimeMs: 65_000,
};

async function run(
  command: Run,
  answers: Answers,
  { args = [], flags = {} }: { args?: string[]; flags?: Record<string, string | number | true> } = {},
) {
  const io = fakeTerminal({ answers });
  const link = await io.connect({ env: io.env(), timeoutMs: 1 });
  const given = {
    has: (name: string) => name in flags,
    text: (name: string) => flags[name] as string | undefined,
    number: (name: string) => flags[name] as number | undefined,
    list: () => [],
  };
  const code = await command({ args, flags: given, io, gateway: async () => link });
  return { code, io, out: io.lines.join('\n') };
}

test('processes list shows what runs and how the rest ended', async () => {
  const processes = [
    view,
    { ...view, sessionId: 'brave-otter', status: 'failed', exitCode: 3 },
    { ...view, sessionId: 'dry-fern', status: 'failed', exitSignal: 'SIGKILL', endReason: 'timeout' },
  ];
  const { out, io } = await run(processesList, { 'process.list': { processes } }, { flags: { agent: 'main' } });
  assert.match(
    out,
    /^ID .*COMMAND\ncalm-harbor +running +1 min +sandbox +agent:main:main +npm run dev\nbrave-otter +exit 3 .*\ndry-fern +timeout /,
  );
  assert.deepEqual(io.requests[0], { method: 'process.list', params: { agentId: 'main' } });
  assert.equal((await run(processesList, { 'process.list': { processes: [] } })).out, 'No background commands.');
});

test('processes log says how much came before', async () => {
  const page = { view, output: 'b\nc', firstLine: 1, lines: 2, totalLines: 3 };
  const { out, io } = await run(processesLog, { 'process.log': page }, { args: ['calm-harbor'], flags: { limit: 2 } });
  assert.equal(out, 'b\nc');
  assert.match(io.errors[0]!, /^\(1 earlier lines; --limit 3/);
});

test('processes log --follow prints each character once, also of a line that grows, until the end', async () => {
  const pages = [
    { view, output: 'one\ntw', firstLine: 0, lines: 2, totalLines: 2 },
    { view, output: 'two\nthree', firstLine: 1, lines: 2, totalLines: 3 },
    { view: { ...view, status: 'completed', exitCode: 0 }, output: 'three', firstLine: 2, lines: 1, totalLines: 3 },
  ];
  const { io, out } = await run(
    processesLog,
    {
      'process.subscribe': { subscribed: true },
      'process.log': (_params: unknown, emit: (event: string, payload: unknown) => void) => {
        // Of another process, and what comes while it is read, which is not lost.
        emit('process.output', { process: { ...view, sessionId: 'other' } });
        if (pages.length > 1) emit('process.output', { process: view });
        return pages.shift();
      },
    },
    { args: ['calm-harbor'], flags: { follow: true } },
  );
  assert.equal(io.written(), 'one\ntwo\nthree');
  assert.equal(out, '\n(exit 0)');
  assert.deepEqual(
    io.requests.map(({ method, params }) => [method, params?.offset]),
    [
      ['process.subscribe', undefined],
      ['process.log', undefined],
      ['process.log', 1],
      ['process.log', 2],
    ],
  );
});

test('processes kill names what was ended', async () => {
  assert.equal(
    (await run(processesKill, { 'process.kill': { process: view } }, { args: ['calm-harbor'] })).out,
    'calm-harbor (npm run dev) was stopped.',
  );
});

test('sandbox explain says why, with what, and what is seen; a backend that is missing is a failure', async () => {
  const setting = {
    scope: 'session',
    workspaceAccess: 'none',
    workspace: '/s/work',
    network: false,
    limits: { memoryMb: 64, processes: 8, diskMb: 9 },
  };
  const answer = {
    sandboxed: true,
    because: 'agents.defaults.sandbox.mode = "all"',
    setting,
    backend: { name: 'bwrap', version: '0.8.0' },
    mounts: [{ path: '/workspace', access: 'rw' }],
    notes: ['No network.'],
  };
  const { out, code, io } = await run(sandboxExplain, { 'sandbox.explain': answer }, { flags: { session: 'x' } });
  assert.match(
    out,
    /^Sandboxed: agents\.defaults.*\nbackend +bwrap 0\.8\.0\n[\s\S]*its own, not the agent's[\s\S]*limits +64 MB memory, 8 processes, 9 MB on disk\nMounts\n {2}\/workspace +read and write\n- No network\.$/,
  );
  assert.deepEqual([code, io.requests[0]!.params], [0, { sessionKey: 'x' }]);
  assert.equal(
    (
      await run(sandboxExplain, {
        'sandbox.explain': { ...answer, backend: { problem: 'bubblewrap is not installed.' } },
      })
    ).code,
    1,
  );
  assert.equal(
    (await run(sandboxExplain, { 'sandbox.explain': { sandboxed: false, because: 'x', mounts: [], notes: [] } })).out,
    'Not sandboxed: x',
  );
});
