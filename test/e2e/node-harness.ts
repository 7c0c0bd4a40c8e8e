/** A headless node host in this process, beside a gateway that a test started, and the tool of its agent. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeNodeHostFile } from '../../src/config/node-host-file.ts';
import type { AppError } from '../../src/core/errors.ts';
import { runNode } from '../../src/node-host/run-node.ts';
import type { OfferMore } from '../../src/node-host/offer.ts';
import { readEnv } from '../../src/platform/env.ts';
import type { Chat, RunningGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';

export const TOKEN = 'test-token-of-sufficient-length';

export interface Host extends AsyncDisposable {
  readonly stateDir: string;
  readonly lines: string[];
  readonly ended: Promise<number>;
  stop(): void;
}

export async function startHost(
  gateway: RunningGateway,
  settings: object,
  vars: Record<string, string> = {},
  more: readonly OfferMore[] = [],
): Promise<Host> {
  const dir = await tempDir('node-host');
  const stateDir = join(dir.path, 'state');
  await mkdir(stateDir, { recursive: true });
  await writeNodeHostFile(stateDir, { name: 'Desk', ...settings });
  const env = readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: stateDir, PATH: process.env['PATH']!, ...vars });
  const stop = new AbortController();
  const lines: string[] = [];
  const url = `ws://127.0.0.1:${gateway.instance.port}`;
  const ended = runNode({
    env,
    version: '1.2.3',
    url,
    token: TOKEN,
    signal: stop.signal,
    out: (line) => void lines.push(line),
    more,
  });
  return {
    stateDir,
    lines,
    ended,
    stop: () => stop.abort(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Approves the one node that waits. */
export async function approveNode(chat: Chat): Promise<string> {
  const [request] = await until(async () => {
    const { pending } = await chat.call('node.pair.list');
    return pending.length > 0 && pending;
  });
  await chat.call('node.pair.approve', { requestId: request.requestId });
  await until(async () => (await chat.call('node.list')).nodes[0]?.connected === true);
  return request.nodeId;
}

/** Calls the tool `nodes` for the node Desk: what it answered or failed with, as JSON. */
export async function useNode(chat: Chat, args: object): Promise<string> {
  const call = chat.call('tools.invoke', { name: 'nodes', args: { node: 'desk', ...args } });
  return call.then(
    (answer: unknown) => JSON.stringify(answer),
    (error: AppError) => `${error.message} ${JSON.stringify(error.details)}`,
  );
}
