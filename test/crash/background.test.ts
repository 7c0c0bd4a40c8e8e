/**
 * The gateway is killed while its agent's commands run: background commands continue and are reported, orphans end,
 * nothing is reported twice.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { connect, start, stop, type Running } from './scenario.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture } from './fixture.ts';
import { isAlive } from '../../src/testing/process-alive.ts';

/** Answers each first question of a turn with the next tool call, everything else with what it was told last. */
async function startModel(calls: readonly object[]) {
  const reported: string[] = [];
  const left = [...calls];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const last = JSON.parse(body).messages.at(-1);
    const text =
      typeof last.content === 'string' ? last.content : last.content.map((part: any) => part.text ?? '').join('');
    if (last.role === 'user') reported.push(text);
    const call = last.role === 'user' && !text.startsWith('System event') ? left.shift() : undefined;
    const delta = call
      ? {
          tool_calls: [
            {
              index: 0,
              id: `call_${left.length}`,
              type: 'function',
              function: { name: 'bash', arguments: JSON.stringify(call) },
            },
          ],
        }
      : { content: `heard: ${text}` };
    const chunk = (choice: object): string =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `${chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null })}${chunk({ delta: {}, finish_reason: call ? 'tool_calls' : 'stop' })}data: [DONE]\n\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reported: reported,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const say = async (running: Running, text: string, id: string, wait = true): Promise<void> => {
  const client = await connect(running);
  await client.call('chat.send', { sessionKey: 'agent:main:main', message: text, idempotencyKey: id });
  if (wait) await client.call('agent.wait', { runId: id, timeoutMs: 60_000 });
  client.close();
};

it('background commands survive kill -9, their ends are told once, and a foreground one does not stay behind', async () => {
  const home = mkdtempSync(join(tmpdir(), 'clawdbot-hands-'));
  const model = await startModel([
    { command: 'echo $$ > long.pid; while [ ! -e go ]; do sleep 0.02; done; echo the long one', background: true },
    { command: 'while [ ! -e soon ]; do sleep 0.02; done; echo the short one', background: true },
    { command: 'echo $$ > foreground.pid; sleep 300' },
  ]);
  const fixture = await createFixture();
  const workspace = join(home, 'clawd');
  const running: Running[] = [];
  const begin = async (): Promise<Running> => {
    const instance = await start(home, fixture, '-');
    running.push(instance);
    return instance;
  };
  try {
    writeFileSync(
      join(home, 'clawdbot.json'),
      JSON.stringify({
        models: {
          providers: {
            fake: {
              baseUrl: `${model.url}/v1`,
              apiKey: 'k',
              api: 'openai-completions',
              models: [{ id: 'm', contextWindow: 200_000 }],
            },
          },
        },
        agents: { defaults: { model: 'fake/m' } },
        tools: { exec: { security: 'full', ask: 'off' } },
      }),
    );
    const first = await begin();
    await say(first, 'the long one', 'a');
    await say(first, 'the short one', 'b');
    await say(first, 'the foreground one', 'c', false);
    await until(() => existsSync(join(workspace, 'foreground.pid')) && existsSync(join(workspace, 'long.pid')));
    const [foreground, long] = ['foreground.pid', 'long.pid'].map((name) =>
      Number(readFileSync(join(workspace, name), 'utf8')),
    );
    first.child.kill('SIGKILL');
    await first.gone;
    assert.ok(await isAlive(long!), 'the background goes on');
    writeFileSync(join(workspace, 'soon'), ''); // it ends while nobody is there

    const second = await begin();
    const ofExits = (): string[] => model.reported.filter((text) => text.includes('System event: Exec'));
    await until(() => ofExits().length === 1);
    assert.match(ofExits()[0]!, /Exec completed \(.+, code 0\) :: "the short one"/);
    await until(async () => !(await isAlive(foreground!)));
    const client = await connect(second);
    const { processes } = (await client.call('process.list')) as { processes: { status: string; sessionId: string }[] };
    client.close();
    assert.deepEqual(processes.map(({ status }) => status).sort(), ['completed', 'running']);
    writeFileSync(join(workspace, 'go'), '');
    await until(() => ofExits().length === 2);
    assert.match(ofExits()[1]!, /"the long one"/);
    await stop(second);

    const third = await begin();
    const again = await connect(third);
    await again.call('agent.wait', { runId: 'c', timeoutMs: 60_000 });
    again.close();
    await stop(third);
    assert.equal(ofExits().length, 2, 'told once each, over three runs');
    assert.equal(await isAlive(long!), false);
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    model.close();
    await fixture.close();
    rmSync(home, { recursive: true, force: true });
  }
});
