/**
 * The real process is killed in the middle of an album, and around its receipt: it is answered once, with every
 * picture, on a platform that delivers again and on one whose pieces are on disk.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { FakeTelegram } from '../../src/channels/telegram/fake-telegram.ts';
import type { FakeWhatsapp } from '../../src/channels/whatsapp/fake.ts';
import { jidOf } from '../../src/channels/whatsapp/ids.ts';
import { mediaFields } from '../../src/channels/whatsapp/library/fake.ts';
import type { ChannelPlatform } from '../../src/testing/channel-platform.ts';
import { until } from '../../src/testing/until.ts';
import { createCaseRunner } from './case-runner.ts';
import { openRows, queryJournal } from './journal.ts';
import { PLATFORMS, platformConfig, type PlatformKind } from './platforms.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PIECES = 3;

interface Sender {
  /** One of three pieces; the first has the words. */
  piece(platform: ChannelPlatform, album: string, nth: number, words: string): Promise<unknown>;
  /** Two pieces are in the hands of the gateway. */
  heldTwo(platform: ChannelPlatform): boolean;
}

const SENDERS: Readonly<Record<string, Sender>> = {
  telegram: {
    async piece(platform, album, nth, words) {
      const telegram = platform as FakeTelegram;
      const said = {
        chat: { kind: 'direct', id: '501' },
        by: '501',
        file: { name: `${nth}.png`, mime: 'image/png', data: PICTURE },
        ...(nth === 0 ? { text: words } : {}),
      } as const;
      telegram.push({ message: telegram.message(said, { media_group_id: album }) });
    },
    heldTwo: () => true, // they were in the answer to a poll that waited
  },
  whatsapp: {
    async piece(platform, album, nth, words) {
      const whatsapp = platform as FakeWhatsapp;
      const from = { chat: { kind: 'direct', id: '+15550001001' }, by: '+15550001001' } as const;
      const key = { id: album, remoteJid: jidOf(from.by) };
      if (nth === 0) await whatsapp.bring({ albumMessage: { expectedImageCount: PIECES } }, { ...from, id: album });
      await whatsapp.bring(
        {
          messageContextInfo: { messageAssociation: { associationType: 1, parentMessageKey: key } },
          imageMessage: { ...mediaFields(PICTURE), mimetype: 'image/png', ...(nth === 0 ? { caption: words } : {}) },
        },
        from,
      );
    },
    heldTwo: (platform) =>
      namesIn(join((platform as FakeWhatsapp).authDir, 'inbox')).filter((name) => name.endsWith('.json')).length >= 2,
  },
};

/** None before the gateway has made the folder. */
const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** How many files each message with these words has in the journal. */
const filesOf = (home: string, words: string): readonly number[] =>
  queryJournal(home, 'SELECT body FROM inbound').flatMap(({ body }: { body: string }) => {
    const { message } = JSON.parse(body) as { message: { text: string; attachments: readonly unknown[] } };
    return message.text.includes(words) ? [message.attachments.length] : [];
  });

/** Where the process dies: between the second piece and the third, or at a checkpoint once it has all. */
const DEATHS = ['between', 'accept.before:1', 'accept.after:1', 'end.before:1'] as const;

function chainOf(kind: PlatformKind) {
  const on: { platform?: ChannelPlatform } = {};
  const runner = createCaseRunner(async (_home, { url }) => {
    await on.platform?.[Symbol.asyncDispose]();
    on.platform = await kind.start();
    return platformConfig(kind, on.platform, url, 'off');
  });
  return {
    runner,
    platform: () => on.platform!,
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await on.platform?.[Symbol.asyncDispose]();
    },
  };
}

describe('an album', { concurrency: 2 }, () => {
  for (const [id, sender] of Object.entries(SENDERS))
    describe(`of ${id}`, { concurrency: 1 }, () => {
      const kind = PLATFORMS.find((one) => one.id === id)!;
      const chain = chainOf(kind);
      after(() => chain[Symbol.asyncDispose]());
      for (const at of DEATHS)
        it(`is answered once, with every picture, after kill -9 ${at}`, { timeout: 120_000 }, () =>
          chain.runner.run(async (crash) => {
            const platform = chain.platform();
            const words = `said-album${crash.nth}`;
            const since = platform.seen(kind.chat).length;
            const answers = () =>
              platform
                .seen(kind.chat)
                .slice(since)
                .map(({ text }) => text);
            const send = (nth: number) => sender.piece(platform, `ALBUM${crash.nth}`, nth, words);
            await until(() => platform.consumers > 0, 'somebody who listens');
            const { child, gone } = crash.current();
            if (at !== 'between') await crash.arm(at);
            for (const nth of [0, 1]) await send(nth);
            if (at === 'between') {
              await until(() => sender.heldTwo(platform), 'two pieces');
              child.kill('SIGKILL');
              await gone;
            }
            await send(2);
            await gone;
            await crash.again();
            await until(() => answers().length > 0 && openRows(crash.home) === 0, 'the answer');
            await platform.write({ chat: kind.chat, by: kind.person, text: `said-behind${crash.nth}` });
            await until(() => answers().some((text) => text.includes(`behind${crash.nth}`)), 'what comes behind it');
            const [first, second, ...more] = answers();
            assert.ok(first!.includes(words), first);
            assert.deepEqual(filesOf(crash.home, words), [PIECES]);
            assert.ok(second!.includes('behind'), second);
            assert.deepEqual(more, []);
          }),
        );
    });
});
