/** A gateway as a separate process, for measurements. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';
import { compileCache } from './compile-cache.ts';
import { built } from './built.ts';

export interface OwnGateway extends AsyncDisposable {
  readonly port: number;
  readonly token: string;
  /** Bytes resident, and milliseconds of processor time since its start. */
  cost(): { rss: number; cpuMs: number };
  /** Ends this run as a person would, and waits for the end. */
  stop(): Promise<void>;
}

export interface OwnHome extends AsyncDisposable {
  readonly state: string;
  /** `port`: 0, the default, is any. */
  start(port?: number): Promise<OwnGateway>;
}

/** A home directory in which runs of the gateway follow one another; `state` is its state folder. */
export async function ownHome(): Promise<OwnHome> {
  const home = await tempDir('own');
  const state = join(home.path, '.clawdbot');
  await mkdir(state, { mode: 0o700 });
  return {
    state,
    start: (port) => startIn(home.path, state, port),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

async function startIn(home: string, state: string, wanted = 0): Promise<OwnGateway> {
  const main = built('src/main.ts');
  const child = spawn(process.execPath, [main, 'gateway', 'run', '--port', String(wanted)], {
    env: { ...compileCache, HOME: home, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (said: string) => void (printed += said));
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const port = Number(await until(() => /web chat: http:\/\/127\.0\.0\.1:(\d+)\//.exec(printed)?.[1], 'the gateway'));
  return {
    port,
    token: (await readFile(join(state, 'gateway.token'), 'utf8')).trim(),
    cost() {
      const fields = execFileSync('cat', [`/proc/${child.pid}/stat`], { encoding: 'utf8' })
        .split(') ')[1]!
        .split(' ');
      return { rss: Number(fields[21]) * 4096, cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 };
    },
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}
