/** What only the product's own clients frame is a title and a link on every channel, in the answer it belongs to. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { PLATFORMS, type PlatformKind } from '../crash/platforms.ts';
import { openHarness } from './channel-harness.ts';

const PAGE = { id: 'cv_1', title: 'Status', html: '<!doctype html><h1>Ready</h1>' };
const SHOWN = { calls: [{ id: 'a', name: 'canvas_document', args: PAGE }] };

/** A person of a platform whose gateway has an address that people can open. */
async function open({ id, start, chat, person }: PlatformKind) {
  const platform = await start();
  const { userToken: _, ...credentials } = platform.credentials;
  const settings = { ...platform.config, ...credentials, dmPolicy: 'open', allowFrom: ['*'], streaming: 'off' };
  const config = { canvasHost: { publicUrl: 'https://claw.example.net/' } };
  // Over a webhook nothing connects: that it is reached shows when somebody is answered.
  const connected = platform.reach === undefined;
  const harness = await openHarness({ channel: id, platform, ann: person, settings, config, connected });
  const { port } = harness.gateway.instance;
  platform.reach?.(
    Object.assign(
      async (path: string, { method, headers, body }: { method: string; headers: object; body: Buffer }) => ({
        status: (
          await fetch(`http://127.0.0.1:${port}${path}`, {
            method,
            headers: { ...headers },
            body: new Uint8Array(body),
          })
        ).status,
      }),
      { isThere: () => true },
    ),
  );
  await until(() => platform.consumers > 0, `the connection to ${id}`);
  return { harness, chat };
}

describe('an embed in an answer', () => {
  for (const kind of PLATFORMS)
    it(`is its title and an address on ${kind.id}; nothing of the directive is left`, async () => {
      const { harness, chat } = await open(kind);
      await using _ = harness;
      harness.gateway.models.reply(SHOWN, {
        text: ['Look: [embed url="https://example.com/x" title="Site" /][embed url="https://example.com/bare" /]'],
      });
      await harness.say(chat, { text: 'show it' });
      // What marks an address on a platform is not part of it; IRC sends line by line, and its fake joins them.
      const said = () =>
        harness.platform
          .seen(chat)
          .map(({ text }) => text)
          .join('\n')
          .replaceAll(/[<>]/g, '');
      const shown = [
        /Look:/,
        /Status: https:\/\/claw\.example\.net\/\S+?\/index\.html/,
        /Site: https:\/\/example\.com\/x/,
        /https:\/\/example\.com\/bare/,
      ];
      await until(() => shown.every((one) => one.test(said())), `the answer on ${kind.id}`);
      assert.doesNotMatch(said(), /\[embed|\[\[/);
      const path = /Status: https:\/\/claw\.example\.net(\/\S+?\/index\.html)/.exec(said())![1]!;
      const page = await fetch(`http://127.0.0.1:${harness.gateway.instance.port}${path}`);
      assert.match(await page.text(), /<h1>Ready<\/h1>/);
    });
});
