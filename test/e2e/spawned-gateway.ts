/** A gateway from the sources as a process of its own, with a path and module hooks of the test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectGateway, type GatewayConnection } from '../../src/gateway/client.ts';
import type { ChannelsStatusResult } from '../../src/protocol/answers/channels.ts';
import { until } from '../../src/testing/until.ts';

export interface SpawnOptions {
  readonly home: string;
  readonly config: object;
  /** Where it finds programs. Default: that of the test. */
  readonly path?: string;
  /** A module that is loaded before all others. */
  readonly first?: string;
}

export interface SpawnedGateway extends AsyncDisposable {
  readonly client: GatewayConnection;
  /** What is wrong with an account, each with what to do, in one text. */
  problemsOf(channel: string, accountId?: string): Promise<string>;
}

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

export async function spawnGateway({ home, config, path, first }: SpawnOptions): Promise<SpawnedGateway> {
  const state = join(home, '.clawdbot');
  await mkdir(state, { mode: 0o700 });
  await writeFile(join(state, 'clawdbot.json'), JSON.stringify(config));
  const imports = first === undefined ? [] : ['--import', first];
  const child = spawn(process.execPath, [...imports, MAIN, 'gateway', 'run', '--port', '0'], {
    env: { HOME: home, PATH: path ?? process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = once(child, 'exit');
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (said += text));
  const port = await until(() => /web chat: http:\/\/127\.0\.0\.1:(\d+)\/ /.exec(said)?.[1], 'the gateway');
  const token = (await readFile(join(state, 'gateway.token'), 'utf8')).trim();
  const client = await connectGateway({ url: `ws://127.0.0.1:${port}`, token });
  return {
    client,
    async problemsOf(channel, accountId = 'default') {
      const { channelAccounts } = await client.call<ChannelsStatusResult>('channels.status', {});
      const account = channelAccounts[channel]?.find((one) => one.accountId === accountId);
      return (account?.problems ?? []).map(({ message, fix }) => `${message} ${fix ?? ''}`).join('\n');
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      child.kill('SIGKILL');
      await gone;
    },
  };
}
