/**
 * Other addresses that a link command contacts: redirects and changing DNS answers are stopped by the gateway's proxy.
 */
import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';

/**
 * A command as people write them: follows every redirect, prints what it got; Node's fetch goes through the proxy of
 * its environment.
 */
const FOLLOWS = `
fetch(process.argv[2]).then(async (response) => {
  process.exitCode = response.ok ? 0 : 1;
  console.log(await response.text());
});
`;

async function setting() {
  const dir = await tempDir('egress');
  const path = join(dir.path, 'follows');
  await writeFile(path, `#!${process.execPath}\n${FOLLOWS}`);
  await chmod(path, 0o700);
  const seen: string[] = [];
  const listener: RequestListener = (req, res) => {
    seen.push(req.url!);
    if (req.url === '/away')
      return void res.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    if (req.url === '/back') return void res.writeHead(302, { location: '/page' }).end();
    res.end('a page of the intranet');
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    command: path,
    seen,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
    },
  };
}

const linkStep = async (chat: { call(method: string, params: unknown): Promise<any> }, runId: string): Promise<any> =>
  (await chat.call('chat.timeline', { runId })).entries.find(({ stage }: any) => stage === 'link').steps.at(-1);

describe('a link command', () => {
  it("that follows a redirect to the cloud's credentials gets nothing, and the timeline names what it tried", async () => {
    await using fixture = await setting();
    await using gateway = await startGateway({
      config: {
        security: { fetch: { allowRanges: ['127.0.0.0/8', '169.254.0.0/16'] } },
        tools: { links: { models: [{ command: fixture.command, args: ['{{LinkUrl}}'] }] } },
      },
    });
    await using chat = await gateway.connect();
    const link = `http://127.0.0.1:${fixture.port}`;
    await chat.say(`${link}/back`, { runId: 'back' });
    assert.match(
      gateway.models.requests.at(-1)!.texts.at(-1)!,
      /Summary:\na page of the intranet$/,
      'an ordinary redirect is followed',
    );
    await chat.say(`${link}/away`, { runId: 'away' });
    assert.equal(gateway.models.requests.at(-1)!.texts.at(-1), `${link}/away`, 'the reply goes on without a note');
    const { outcome, reached } = await linkStep(chat, 'away');
    assert.equal(outcome, 'failed');
    assert.equal(reached[0], `127.0.0.1:${fixture.port}`);
    assert.match(reached[1], /^169\.254\.169\.254:80 blocked: /);
  });

  it('that asks for a name anew finds it closed when the answer has changed', async () => {
    await using fixture = await setting();
    const answers = ['93.184.216.34', '127.0.0.1'];
    const resolve = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 as const }];
    await using gateway = await startGateway({
      resolve,
      config: { tools: { links: { models: [{ command: fixture.command, args: ['{{LinkUrl}}'] }] } } },
    });
    await using chat = await gateway.connect();
    await chat.say(`http://rebind.example:${fixture.port}/page`, { runId: 'rebind' });
    assert.deepEqual(fixture.seen, [], 'nothing reached the private server');
    assert.doesNotMatch(gateway.models.requests.at(-1)!.texts.at(-1)!, /intranet/);
    assert.match((await linkStep(chat, 'rebind')).reached[0], /rebind\.example:\d+ blocked: .*127\.0\.0\.1/);
  });

  it('goes its own way when the proxy is switched off', async () => {
    await using fixture = await setting();
    await using gateway = await startGateway({
      config: {
        security: { fetch: { allowRanges: ['127.0.0.0/8'] } },
        tools: {
          links: {
            egressProxy: false,
            models: [
              {
                command: process.execPath,
                args: ['-e', 'fetch(process.argv[1]).then((r) => r.text()).then(console.log)', '{{LinkUrl}}'],
              },
            ],
          },
        },
      },
    });
    await using chat = await gateway.connect();
    await chat.say(`http://127.0.0.1:${fixture.port}/page`, { runId: 'direct' });
    assert.match(gateway.models.requests.at(-1)!.texts.at(-1)!, /a page of the intranet/);
    assert.equal((await linkStep(chat, 'direct')).reached, undefined);
  });
});
