/** The canvas of a headless node host, in a real Chromium without a screen, used by the tool of an agent. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AppError } from '../../src/core/errors.ts';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { approveNode, startHost, TOKEN, type Host } from './node-harness.ts';
import { skipWithoutChromium } from './ui-harness.ts';

const surface = (text: string): string =>
  [
    {
      surfaceUpdate: {
        surfaceId: 'main',
        components: [{ id: 'root', component: { Text: { text: { literalString: text } } } }],
      },
    },
    { beginRendering: { surfaceId: 'main', root: 'root' } },
  ]
    .map((message) => JSON.stringify(message))
    .join('\n');

describe('the canvas of a node host', { skip: skipWithoutChromium }, () => {
  let gateway: RunningGateway;
  let chat: Chat;
  let host: Host;
  let nodeId: string;
  before(async () => {
    gateway = await startGateway({ config: {}, token: TOKEN });
    chat = await gateway.connect();
    host = await startHost(gateway, { canvas: true });
    nodeId = await approveNode(chat);
  });
  after(async () => {
    await host[Symbol.asyncDispose]();
    await chat[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
  });

  /** What the tool answered or failed with, as JSON. */
  const canvas = (args: object): Promise<string> =>
    chat.call('tools.invoke', { name: 'canvas', args: { node: 'desk', ...args } }).then(
      (answer: unknown) => JSON.stringify(answer),
      (error: AppError) => error.message,
    );
  const invoke = (command: string, params: object, timeoutMs = 30_000): Promise<any> =>
    chat.call('node.invoke', { nodeId, command, params, timeoutMs, idempotencyKey: crypto.randomUUID() });
  const text = 'document.querySelector("#canvas").innerText.trim()';

  it('shows surfaces of the conversation as they change, takes pictures and runs scripts', async () => {
    assert.match(await canvas({ action: 'snapshot' }), /nothing is shown on the node/);
    assert.match(await canvas({ action: 'a2ui_push', jsonl: surface('Good morning') }), /ok/);
    assert.match(await canvas({ action: 'eval', javaScript: text }), /Good morning/);
    await invoke('canvas.eval', { javaScript: 'window.mark = 1' });
    await canvas({ action: 'a2ui_push', jsonl: surface('Good evening') });
    assert.match(await canvas({ action: 'eval', javaScript: text }), /Good evening/);
    assert.match(
      await canvas({ action: 'eval', javaScript: 'String(window.mark)' }),
      /1/,
      'the page was not loaded anew',
    );
    const { payload } = await invoke('canvas.snapshot', { format: 'png', maxWidth: 200 });
    const png = Buffer.from(payload.base64, 'base64');
    assert.deepEqual([payload.format, png.readUInt32BE(16)], ['png', 200]);
    await canvas({ action: 'present', width: 640, height: 480 });
    const wide = Buffer.from((await invoke('canvas.snapshot', {})).payload.base64, 'base64');
    assert.deepEqual([wide.readUInt32BE(16), wide.readUInt32BE(20)], [640, 480]);
    assert.match(await canvas({ action: 'snapshot', outputFormat: 'jpg' }), /image\/jpeg/);
  });

  it('reaches nothing of this machine, and of the gateway canvases alone', async () => {
    for (const url of ['file:///etc/passwd', 'javascript:1', '/nodes', `http://127.0.0.1:${gateway.instance.port}/`])
      await assert.rejects(invoke('canvas.navigate', { url }), /use an http or https page/, url);
    const other = `http://127.0.0.1:1/`;
    await canvas({ action: 'a2ui_push', jsonl: surface('Still here') });
    const fetched = await invoke('canvas.eval', {
      javaScript: `Promise.all(['${other}', '/', '/config', '/__clawdbot__/../config'].map((url) =>
        fetch(url).then(({ status }) => String(status), () => 'refused')))`,
    });
    assert.match(fetched.payload.result, /^\["(?:refused|403)"(?:,"(?:refused|403)"){3}\]$/);
    const socket = `new Promise((r) => {
      const s = new WebSocket('ws://' + location.host); s.onmessage = () => r('open'); s.onclose = () => r('closed'); })`;
    assert.equal((await invoke('canvas.eval', { javaScript: socket })).payload.result, 'closed');
  });

  it('a script that fails or does not end is told, hide ends the window, present brings it back', async () => {
    assert.match(
      await canvas({ action: 'eval', javaScript: 'nothing.here' }),
      /the script failed.*nothing is not defined/,
    );
    await assert.rejects(invoke('canvas.eval', { javaScript: '"x".repeat(300000)' }), /PAYLOAD_TOO_LARGE/);
    await assert.rejects(
      invoke('canvas.navigate', { url: 'http://127.0.0.1:9/' }),
      /CANVAS_UNAVAILABLE|INVALID_REQUEST/,
    );
    const endless = invoke('canvas.eval', { javaScript: 'for (;;);' }, 1500);
    await assert.rejects(endless, /timed out/);
    assert.match(await canvas({ action: 'present' }), /ok/, 'the window is there again');
    await canvas({ action: 'hide' });
    assert.match(await canvas({ action: 'eval', javaScript: '1' }), /present it first/);
    await canvas({ action: 'present' });
    assert.match(await canvas({ action: 'eval', javaScript: text }), /Still here/);
  });
});
