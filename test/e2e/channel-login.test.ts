/** A login on another device in a whole gateway: started, renewed, confirmed, cancelled, refused, logged out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeWhatsapp } from '../../src/channels/whatsapp/fake.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const connected = async (chat: { call(method: string, params?: unknown): Promise<any> }): Promise<boolean> =>
  (await chat.call('channels.status')).channelAccounts.whatsapp[0].connected === true;

test('an account logs in by a picture, connects, and logs out again', async () => {
  await using platform = await startFakeWhatsapp({ linked: false });
  await using gateway = await startGateway({ config: { channels: { whatsapp: platform.config } } });
  await using chat = await gateway.connect();
  const [before] = (await chat.call('channels.status')).channelAccounts.whatsapp;
  await until(async () => !(await connected(chat)), 'it is not connected');
  assert.equal(before.configured, true);

  const first = await chat.call('web.login.start', {});
  assert.deepEqual([first.channel, first.state, first.qr, first.nth], ['whatsapp', 'waiting', '2@picture-1', 1]);
  assert.match(first.qrDataUrl, /^data:image\/png;base64,iVBOR/);
  assert.ok(first.steps.length >= 2);
  const renewed = chat.call('web.login.wait', { channel: 'whatsapp', after: 1 });
  platform.nextPicture();
  assert.deepEqual(await renewed.then(({ qr, nth }: any) => [qr, nth]), ['2@picture-2', 2]);
  const over = chat.call('web.login.wait', {});
  platform.link();
  const linked = await over;
  assert.deepEqual([linked.state, linked.message], ['linked', `WhatsApp is logged in as ${platform.botId}.`]);
  await until(() => connected(chat), 'the account connects by itself');

  const again = await chat.call('web.login.start', {});
  assert.deepEqual([again.state, again.connected, /already/.test(again.message)], ['linked', true, true]);
  const { cleared, loggedOut } = await chat.call('channels.logout', { channel: 'whatsapp' });
  assert.deepEqual([cleared, loggedOut, platform.unlinked], [true, true, true]);
});

test('a login that is cancelled or expires leaves the account as it was', async () => {
  await using platform = await startFakeWhatsapp();
  await using gateway = await startGateway({ config: { channels: { whatsapp: platform.config } } });
  await using chat = await gateway.connect();
  await until(() => connected(chat), 'the account');
  assert.equal((await chat.call('web.login.start', { force: true })).qr, '2@picture-1');
  assert.equal(await connected(chat), false, 'two connections of one device would cut each other');
  assert.equal((await chat.call('web.login.cancel', {})).state, 'none');
  await until(() => connected(chat), 'the account is back');

  const expired = await chat.call('web.login.start', { force: true, method: 'qr' });
  assert.equal(expired.state, 'waiting');
  platform.expire();
  const over = await chat.call('web.login.wait', {});
  assert.deepEqual([over.state, /expired/.test(over.message)], ['failed', true]);
  await until(() => connected(chat), 'the account is back');
});

test('what cannot be logged in to is refused with the reason', async () => {
  await using gateway = await startGateway({ config: { channels: { telegram: { enabled: false } } } });
  await using chat = await gateway.connect();
  const refused = async (params: object): Promise<string> =>
    chat.call('web.login.start', params).then(
      () => 'not refused',
      (error: Error) => error.message,
    );
  assert.match(await refused({ channel: 'telegram' }), /Telegram has no login/);
  assert.match(await refused({}), /not configured\. Add it with `\S+ channels add --channel whatsapp`/);
  assert.match(await refused({ channel: 'carrier-pigeon' }), /Unknown channel/);
  assert.match(await refused({ channel: 'whatsapp', method: 'magic' }), /method/);
});
