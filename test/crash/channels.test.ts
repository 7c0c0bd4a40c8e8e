/** The crash matrix over real platforms' protocols: killed at every moment around receiving and sending, and on a network that fails; nothing lost, doubled only where a platform cannot tell. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ChannelPlatform } from '../../src/testing/channel-platform.ts';
import { until } from '../../src/testing/until.ts';
import { PLATFORMS, platformConfig, type PlatformKind } from './platforms.ts';
import { openRows, start, stop, type Running } from './scenario.ts';
import { createWorld, type World } from './world.ts';

const MOMENTS = ['accept.before', 'accept.after', 'model.after', 'end.before', 'end.after', 'send.before', 'send.after', 'send.acknowledged'];
/** Here a platform without a way to look cannot tell a message from one it never got: the answer before may be on its way when the next turn thinks and ends. */
const UNKNOWABLE = ['model.after', 'end.before', 'end.after', 'send.before', 'send.after'];
const WORDS = ['alpha', 'beta', 'gamma', 'delta'];

interface Damage { readonly lost: number; readonly doubled: number; readonly reordered: number; readonly unended: number }
const rows: { platform: string; at: string; damage: Damage }[] = [];

const answers = (kind: PlatformKind, platform: ChannelPlatform): string[] => platform.seen(kind.chat).map(({ text }) => WORDS.find((word) => text.includes(`said-${word}`)) ?? 'stray');

function count(kind: PlatformKind, platform: ChannelPlatform, home: string): Damage {
  const seen = answers(kind, platform);
  const first = [...new Set(seen)];
  return {
    lost: WORDS.filter((word) => !seen.includes(word)).length,
    doubled: seen.length - first.length + seen.filter((one) => one === 'stray').length,
    reordered: first.filter((word, index) => WORDS.indexOf(word) < WORDS.indexOf(first[index - 1] ?? word)).length,
    unended: openRows(home),
  };
}

interface Stage extends AsyncDisposable { readonly home: string; readonly world: World; readonly platform: ChannelPlatform; begin(fatal?: string): Promise<Running> }

async function openStage(kind: PlatformKind): Promise<Stage> {
  const home = await mkdtemp(join(tmpdir(), 'clawdbot-crash-'));
  const world = await createWorld();
  const platform = await kind.start();
  await writeFile(join(home, 'clawdbot.json'), platformConfig(kind, platform, world.url));
  return {
    home, world, platform, begin: (fatal = '-') => start(home, world, fatal),
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await world.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Some platforms keep nothing for a bot that never was there. */
async function speak(kind: PlatformKind, platform: ChannelPlatform): Promise<void> {
  await until(() => platform.consumers > 0, 'somebody who listens');
  for (const word of WORDS) await platform.write({ chat: kind.chat, by: kind.person, name: 'Ann', text: `said-${word}` });
}

const settled = (kind: PlatformKind, { platform, home }: Pick<Stage, 'platform' | 'home'>): Promise<unknown> =>
  until(() => WORDS.every((word) => answers(kind, platform).includes(word)) && openRows(home) === 0, 'every answer').catch(() => undefined /* what is missing is counted */);

describe('crash matrix of the channels', { concurrency: 2 }, () => {
  after(() => console.log(table()));
  for (const kind of PLATFORMS) {
    for (const moment of MOMENTS) {
      it(`${kind.id} survives kill -9 at ${moment}`, { timeout: 90_000 }, async () => {
        await using stage = await openStage(kind);
        const first = await stage.begin(`${moment}:2`);
        await until(() => stage.platform.consumers > 0, 'the connection');
        await speak(kind, stage.platform);
        await first.gone;
        const second = await stage.begin();
        await settled(kind, stage);
        await stop(second);
        const damage = count(kind, stage.platform, stage.home);
        rows.push({ platform: kind.id, at: moment, damage });
        const doubled = kind.once || !UNKNOWABLE.includes(moment) ? 0 : damage.doubled;
        assert.deepEqual(damage, { lost: 0, doubled, reordered: 0, unended: 0 }, answers(kind, stage.platform).join(' '));
        assert.ok(damage.doubled <= 1, 'what cannot be known is said once more at most');
      });
    }

    it(`${kind.id} survives a network that fails`, { timeout: 90_000 }, async () => {
      await using stage = await openStage(kind);
      const running = await stage.begin();
      await until(() => stage.platform.consumers > 0, 'somebody who listens');
      for (const [index, how] of (['rate-limit', 'server-error', 'accepted-timeout', 'dropped'] as const).entries()) {
        stage.platform.failSends(how, 1);
        await stage.platform.write({ chat: kind.chat, by: kind.person, name: 'Ann', text: `said-${WORDS[index]!}` });
        await until(() => answers(kind, stage.platform).includes(WORDS[index]!), `the answer after ${how}`);
        stage.platform.cut();
      }
      await settled(kind, stage);
      await stop(running);
      const damage = count(kind, stage.platform, stage.home);
      rows.push({ platform: kind.id, at: 'faulty network', damage });
      assert.deepEqual(damage, { lost: 0, doubled: kind.once ? 0 : damage.doubled, reordered: 0, unended: 0 }, answers(kind, stage.platform).join(' '));
      assert.ok(damage.doubled <= 1);
    });
  }
});

const rank = ({ platform, at }: { readonly platform: string; readonly at: string }): number => PLATFORMS.findIndex(({ id }) => id === platform) * 100 + (MOMENTS.includes(at) ? MOMENTS.indexOf(at) : MOMENTS.length);

function table(): string {
  const line = (cells: readonly (string | number)[]): string => cells.map((cell, index) => String(cell).padEnd(index < 2 ? 18 : 11)).join('');
  return ['', line(['platform', 'killed at', 'lost', 'doubled', 'reordered', 'unended']), ...rows.toSorted((a, b) => rank(a) - rank(b)).map(({ platform, at, damage: d }) => line([platform, at, d.lost, d.doubled, d.reordered, d.unended]))].join('\n');
}
