/** The browser of a node: a real gateway, a headless node host and a Chromium that the host starts. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { offer } from '../../src/features/browser/node.ts';
import { startFakePages, type FakePages } from '../../src/features/browser/fake-pages.ts';
import { CHROMIUM, skipWithoutChromium } from '../../src/features/browser/harness.ts';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { approveNode, startHost, TOKEN, type Host } from './node-harness.ts';

describe('the browser of a node', { skip: skipWithoutChromium }, () => {
  let pages: FakePages;
  let gateway: RunningGateway;
  let chat: Chat;
  let host: Host;
  before(async () => {
    pages = await startFakePages();
    gateway = await startGateway({ config: { browser: { node: { mode: 'manual' } } }, token: TOKEN });
    chat = await gateway.connect();
    const browser = { executablePath: CHROMIUM, headless: true, ssrfPolicy: { allowRanges: ['127.0.0.1/32'] } };
    host = await startHost(gateway, { browser }, {}, [offer as never]);
    await approveNode(chat);
    await chat.call('sessions.patch', { key: 'main', label: 'mine' });
  });
  after(async () => {
    for (const one of [host, chat, gateway, pages]) await one?.[Symbol.asyncDispose]();
  });
  const use = async (args: object): Promise<any> => {
    const answer = await chat.call('tools.invoke', { name: 'browser', args });
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer;
  };
  const refused = async (args: object): Promise<string> => {
    const answer = await chat.call('tools.invoke', { name: 'browser', args });
    assert.equal(answer.ok, false, JSON.stringify(answer));
    return answer.error.message;
  };

  it('is opened, read and acted on; pictures come along; the guard of the node holds', async () => {
    await use({ action: 'open', target: 'node', targetUrl: `${pages.url}/form` });
    const seen = JSON.stringify(await use({ action: 'snapshot', node: 'desk' }));
    const ref = /textbox \\+"Name\\+".*?\[ref=(e\d+)\]/.exec(seen)?.[1];
    assert.ok(ref, seen);
    await use({ action: 'act', target: 'node', request: { kind: 'type', ref, text: 'from afar' } });
    assert.match(JSON.stringify(await use({ action: 'snapshot', target: 'node' })), /from afar/);
    const shot = JSON.stringify(await use({ action: 'screenshot', target: 'node' }));
    assert.match(shot, /MEDIA:[^"]*media\/browser/);
    const left = await readdir(join(host.stateDir, 'node', 'browser', '.files')).catch(() => []);
    assert.deepEqual(left, [], 'nothing stays on the node');
    assert.match(await refused({ action: 'open', target: 'node', targetUrl: 'http://169.254.169.254/' }), /169\.254/);
    assert.match(await refused({ action: 'create-profile', target: 'node', name: 'x' }), /node\.json/);
  });

  it('ends with its host', async () => {
    const running = await readFile(join(host.stateDir, 'node', 'browser', 'clawd', 'running.json'), 'utf8');
    const [{ pid }] = JSON.parse(running).processes;
    host.stop();
    await host.ended;
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    assert.match(await refused({ action: 'tabs', target: 'node' }), /No connected node offers a browser/);
  });
});
