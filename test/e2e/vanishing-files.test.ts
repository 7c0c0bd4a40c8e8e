/**
 * Files that vanish or break while the gateway runs or is stopped: approvals are kept, nobody else gets access, losses
 * are reported.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startFakeTelegram } from '../../src/channels/telegram/fake.ts';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const sessionsIn = (stateDir: string): string => join(stateDir, 'agents', 'main', 'sessions', 'sessions.json');

describe('a deleted sessions.json', () => {
  it('is made anew from the transcripts at the next start', async () => {
    await using gateway = await startGateway();
    {
      await using chat = await gateway.connect();
      gateway.models.reply({ text: ['one'] }, { text: ['two'] });
      await chat.say('hi');
      await chat.say('there', { session: 'other' });
    }
    await gateway.restart({ while: () => rmSync(sessionsIn(gateway.stateDir)) });
    await using chat = await gateway.connect();
    assert.deepEqual(
      [await chat.history(), await chat.history('other')].map((all) => all.map(({ text }) => text)),
      [
        ['hi', 'one'],
        ['there', 'two'],
      ],
    );
    const keys = (await chat.call('sessions.list', {})).sessions.map(({ key }: { key: string }) => key);
    assert.equal(keys.length, 2, String(keys));
  });

  it('under a running gateway comes back with its settings, changed or not', async () => {
    await using gateway = await startGateway();
    {
      await using chat = await gateway.connect();
      await chat.say('hi');
      await chat.call('sessions.patch', { key: 'main', label: 'Mine' });
      await until(() => read(sessionsIn(gateway.stateDir)).includes('Mine'), 'the store is on disk');
      rmSync(sessionsIn(gateway.stateDir));
    }
    await gateway.restart();
    assert.match(read(sessionsIn(gateway.stateDir)), /Mine/);
  });

  it('says nothing of a state that never had one', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    assert.deepEqual((await chat.call('sessions.list', {})).sessions, []);
    assert.equal(await chat.say('hi'), 'ok');
  });
});

describe('damaged pairing files', () => {
  const ann: Chat = { kind: 'direct', id: '501' };
  const filesIn = (stateDir: string) => ({
    dir: join(stateDir, 'credentials'),
    allowed: join(stateDir, 'credentials', 'telegram-allowFrom.json'),
    pending: join(stateDir, 'credentials', 'telegram-pairing.json'),
  });

  it('keep who was let in and who asked, in this run and the next; what was there is set aside', async () => {
    await using telegram = await startFakeTelegram();
    await using gateway = await startGateway({
      config: { channels: { telegram: { ...telegram.config, ...telegram.credentials, dmPolicy: 'pairing' } } },
    });
    const { dir, allowed, pending } = filesIn(gateway.stateDir);
    const say = async (by: string, text: string): Promise<void> => {
      const chat: Chat = { kind: 'direct', id: by };
      const before = telegram.seen(chat).length;
      await telegram.write({ chat, by, text });
      await until(() => telegram.seen(chat).length > before, `an answer to ${by}`);
    };
    await say('501', 'let me in');
    {
      await using chat = await gateway.connect();
      const [request] = (await chat.call('channel.pairing.list', {})).pending;
      await chat.call('channel.pairing.approve', { channel: 'telegram', code: request.code });
    }
    await say('502', 'me too');
    const answers = (): number => gateway.models.requests.length;
    for (const damage of ['{"allowFrom": ["50', '', '[]']) {
      writeFileSync(allowed, damage);
      writeFileSync(pending, damage);
      const before = answers();
      await say('501', `still here after ${damage}`);
      assert.equal(answers(), before + 1, 'Ann talks to the agent');
      await gateway.restart({
        while: () => {
          writeFileSync(allowed, damage);
          writeFileSync(pending, damage);
        },
      });
      await say('501', `and later after ${damage}`);
      assert.equal(answers(), before + 2, 'in the next run too');
      await using chat = await gateway.connect();
      assert.deepEqual(
        (await chat.call('channel.pairing.list', {})).pending.map(({ id }: { id: string }) => id),
        ['502'],
      );
    }
    assert.ok(readdirSync(dir).filter((name) => name.startsWith('telegram-allowFrom.json.corrupt-')).length >= 6);
    assert.deepEqual(JSON.parse(read(allowed)).allowFrom, ['501']);
    assert.ok(telegram.seen(ann).length > 0);
  });
});

describe('a configuration that disappears', () => {
  const TOKEN = 'the-token-that-stands-in-the-file';
  const config = { gateway: { auth: { token: TOKEN }, reload: { debounceMs: 0 } } };
  const opens = async (gateway: Awaited<ReturnType<typeof startGateway>>, token: string): Promise<boolean> =>
    JSON.stringify(
      await (
        await gateway.fetch('/readyz', {
          headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.7' },
        })
      ).json(),
    ).includes('"details"');

  it('keeps the last good token, in this run and the next, and says what happened', async () => {
    await using gateway = await startGateway({ config, token: '' });
    const requests: string[] = [];
    void gateway.instance.stopRequest.then(({ reason }) => requests.push(reason));
    assert.deepEqual([await opens(gateway, TOKEN), await opens(gateway, 'another')], [true, false]);
    rmSync(join(gateway.stateDir, 'clawdbot.json'));
    await until(() => !gateway.instance.config.snapshot().valid, 'it is noticed');
    assert.deepEqual(requests, [], 'nothing changed, so nothing begins anew');
    assert.match(JSON.stringify(gateway.instance.config.snapshot().issues), /is gone.*last-good\.json/);
    assert.equal(await opens(gateway, TOKEN), true);
    await gateway.restart();
    assert.equal(gateway.instance.token, TOKEN);
    assert.deepEqual(
      [await opens(gateway, TOKEN), await opens(gateway, 'another'), gateway.instance.config.snapshot().source],
      [true, false, 'last-good'],
    );
    await assert.rejects(gateway.instance.config.edit([{ path: 'logging.level', value: 'debug' }]), /is gone/);
    await gateway.writeConfig(config);
    await until(() => gateway.instance.config.snapshot().valid, 'it is back');
    await gateway.instance.config.edit([{ path: 'logging.level', value: 'debug' }]);
    assert.equal(gateway.instance.token, TOKEN);
  });

  it('together with its copy means a new beginning', async () => {
    await using gateway = await startGateway({ config, token: '' });
    await gateway.restart({
      while: () =>
        ['clawdbot.json', join('config', 'last-good.json')].forEach((name) => rmSync(join(gateway.stateDir, name))),
    });
    assert.deepEqual(
      [gateway.instance.config.snapshot().valid, gateway.instance.config.snapshot().source],
      [true, 'defaults'],
    );
    assert.notEqual(gateway.instance.token, TOKEN);
  });
});

/** Empty while it is not there. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
