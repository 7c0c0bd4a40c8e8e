/**
 * The surroundings of a real sandbox: a home with a key in it, a state directory, a workspace, and listeners outside.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sandboxSchema } from '../features/exec/config.ts';
import { silentLog } from '../core/log.ts';
import { present } from '../core/present.ts';
import { createSandboxes, type Sandboxes } from '../features/exec/sandbox/create-sandboxes.ts';
import { resolveSandbox } from '../features/exec/sandbox/resolve-sandbox.ts';
import type { SandboxSetting } from '../features/exec/sandbox/sandbox-setting.ts';
import { readEnv } from '../platform/env.ts';
import { randomId } from '../platform/ids.ts';
import { tempDir } from './temp-dir.ts';

export interface BoxedRun {
  /** 128 + n after a signal. */
  readonly code: number;
  readonly output: string;
  /** What the watcher said when it ended the box. */
  readonly limit: string | undefined;
}

export interface BoxedOptions {
  readonly sandbox?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly workdir?: string;
  /** Started in place of the box, which follows as its arguments. */
  readonly around?: readonly string[];
  /** In place of the fixture's own. */
  readonly with?: Sandboxes;
}

export interface SandboxFixture extends AsyncDisposable {
  readonly home: string;
  readonly stateDir: string;
  readonly workspace: string;
  readonly sandboxes: Sandboxes;
  /** Connections and packets that came from anywhere. */
  readonly heard: string[];
  setting(sandbox?: Record<string, unknown>): SandboxSetting;
  run(command: string, options?: BoxedOptions): Promise<BoxedRun>;
  /** Ids of processes whose command line holds the mark of this fixture. */
  alive(): Promise<readonly number[]>;
}

const WATCH_EVERY_MS = 50;
const MAX_MS = 20_000;

export async function sandboxFixture(): Promise<SandboxFixture> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await tempDir('boxed'));
  const [home, stateDir, workspace] = [join(path, 'home'), join(path, 'state'), join(path, 'clawd')];
  await Promise.all([join(home, '.ssh'), stateDir, workspace].map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([
    writeFile(join(home, '.ssh/id_ed25519'), 'PRIVATE-KEY\n'),
    writeFile(join(stateDir, 'clawdbot.json'), '{"token":"PRIVATE-TOKEN"}\n'),
    writeFile(join(workspace, 'readme'), 'hello\n'),
    symlink(home, join(workspace, 'link')),
  ]);
  const heard: string[] = [];
  const ports = await listen(stack, heard);
  const mark = randomId();
  const victim = spawn('/bin/sh', ['-c', `sleep 600; : ${mark}`], {
    env: { GATEWAY_SECRET: 'PRIVATE-ENV' },
    stdio: 'ignore',
    detached: true,
  });
  stack.defer(async () => {
    const gone = once(victim, 'exit');
    process.kill(-victim.pid!, 'SIGKILL');
    await gone;
  });
  const sandboxes = createSandboxes({
    vars: { ...readEnv().vars, GATEWAY_SECRET: 'PRIVATE-ENV' },
    log: silentLog,
    stateDir,
  });
  const setting = (sandbox: Record<string, unknown> = {}): SandboxSetting =>
    resolveSandbox({
      defaults: sandboxSchema.parse({ mode: 'all', backend: 'bwrap', workspaceAccess: 'rw', ...sandbox }),
      agentId: 'main',
      sessionKey: 'agent:main:main',
      mainKey: 'agent:main:main',
      agentWorkspace: workspace,
      stateDir,
    })!;
  const facts = {
    HOST_HOME: home,
    HOST_STATE: stateDir,
    HOST_WORKSPACE: workspace,
    VICTIM: String(victim.pid),
    MARK: mark,
    ...ports,
  };
  const held = stack.move();
  return {
    home,
    stateDir,
    workspace,
    sandboxes,
    heard,
    setting,
    async run(command, { sandbox, env, workdir, around = [], with: boxes = sandboxes } = {}) {
      const wrapped = await boxes.wrap(setting(sandbox), {
        shellCommand: command,
        env: { ...facts, ...env },
        pty: false,
        ...present({ workdir }),
      });
      if ('problem' in wrapped) throw new Error(wrapped.problem);
      const outcome = await attend([...around, ...wrapped.argv], wrapped);
      const limit = outcome.limit ?? (await wrapped.lastWord?.());
      await wrapped.onEnd?.();
      return { ...outcome, limit, output: wrapped.warnings.map((warning) => `${warning}\n`).join('') + outcome.output };
    },
    alive: async () => (await marked(mark)).filter((pid) => pid !== victim.pid),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function listen(stack: AsyncDisposableStack, heard: string[]): Promise<Record<string, string>> {
  const abstract = `clawdbot-${randomId()}`;
  const tcp = createServer((socket) => void (heard.push('tcp'), socket.destroy())).listen(0, '127.0.0.1');
  const unix = createServer((socket) => void (heard.push('unix'), socket.destroy())).listen(`\0${abstract}`);
  const udp = createSocket('udp4', () => void heard.push('udp'));
  udp.bind(0, '127.0.0.1');
  await Promise.all([once(tcp, 'listening'), once(unix, 'listening'), once(udp, 'listening')]);
  stack.defer(() => void (tcp.close(), unix.close(), udp.close()));
  return {
    TCP_PORT: String((tcp.address() as AddressInfo).port),
    UDP_PORT: String(udp.address().port),
    ABSTRACT: abstract,
  };
}

interface Started {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly guard?: (pid: number) => Promise<string | undefined>;
}

async function attend([program, ...args]: readonly string[], { env, cwd, guard }: Started): Promise<BoxedRun> {
  const child = spawn(program!, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const end = (): void =>
    void (child.exitCode === null && child.signalCode === null && process.kill(-child.pid!, 'SIGKILL'));
  const timer = setTimeout(end, MAX_MS);
  const watching = watch(child.pid!, exit, guard).then((said) => (said === undefined ? undefined : (end(), said)));
  const [code, signal] = await exit;
  clearTimeout(timer);
  await Promise.all([child.stdout, child.stderr].map((stream) => (stream.closed ? undefined : once(stream, 'close'))));
  return {
    code: code ?? (signal === 'SIGKILL' ? 137 : 128),
    output: Buffer.concat(chunks).toString('utf8'),
    limit: await watching,
  };
}

async function watch(pid: number, exit: Promise<unknown>, guard: Started['guard']): Promise<string | undefined> {
  let ended = false;
  void exit.then(() => (ended = true));
  while (!ended && guard) {
    const said = await guard(pid);
    if (said !== undefined && !ended) return said;
    await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS))]);
  }
  return undefined;
}

async function marked(mark: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_pid, index) => lines[index]!.includes(mark)).map(Number);
}
