/**
 * The crash matrix over real platforms' protocols: killed at every moment around receiving and sending, and on a
 * network that fails; nothing lost, doubled only where a platform cannot tell.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ChannelPlatform } from '../../src/testing/channel-platform.ts';
import { until } from '../../src/testing/until.ts';
import { casesOf } from './matrix.ts';
import { PLATFORMS, platformConfig, type PlatformKind } from './platforms.ts';
import { openRows, start, stop, type Running } from './scenario.ts';
import { createFixture, type Fixture } from './fixture.ts';

const CHECKPOINTS = [
  'accept.before',
  'accept.after',
  'model.after',
  'end.before',
  'end.after',
  'send.before',
  'send.after',
  'send.acknowledged',
];
/**
 * Here a platform without a way to look cannot tell a message from one it never got: the answer before may be on its
 * way when the next turn thinks and ends.
 */
const UNKNOWABLE = ['model.after', 'end.before', 'end.after', 'send.before', 'send.after'];
const WORDS = ['alpha', 'beta', 'gamma', 'delta'];

interface Damage {
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
  readonly unended: number;
}
/** By default every platform dies somewhere, and somebody dies everywhere. */
const CASES = casesOf(
  CHECKPOINTS.flatMap((checkpoint, at) =>
    PLATFORMS.map((_, index) => ({ checkpoint, kind: PLATFORMS[(at + index) % PLATFORMS.length]! })),
  ),
  ({ checkpoint }) => checkpoint,
);
/** Of the first answer its preview and its end, then the preview of the second. */
const PREVIEW_CASES = casesOf(
  ['send.acknowledged', 'send.before', 'send.after', 'end.before'].flatMap((checkpoint, at) =>
    [1, 2, 3].flatMap((_, turn) =>
      PLATFORMS.map((_kind, index) => ({
        at: `${checkpoint}:${((at + turn) % 3) + 1}`,
        kind: PLATFORMS[(at + index) % PLATFORMS.length]!,
      })),
    ),
  ),
  ({ at }) => at.split(':')[0]!,
);
const rows: { platform: string; at: string; damage: Damage }[] = [];

const answers = (kind: PlatformKind, platform: ChannelPlatform): string[] =>
  platform.seen(kind.chat).map(({ text }) => WORDS.find((word) => text.includes(`said-${word}`)) ?? 'stray');

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

interface Harness extends AsyncDisposable {
  readonly home: string;
  readonly fixture: Fixture;
  readonly platform: ChannelPlatform;
  begin(fatal?: string): Promise<Running>;
}

async function openHarness(kind: PlatformKind, streaming: 'off' | 'preview' = 'off'): Promise<Harness> {
  const home = await mkdtemp(join(tmpdir(), 'clawdbot-crash-'));
  const fixture = await createFixture();
  const platform = await kind.start();
  await writeFile(join(home, 'clawdbot.json'), platformConfig(kind, platform, fixture.url, streaming));
  return {
    home,
    fixture,
    platform,
    begin: (fatal = '-') => start(home, fixture, fatal),
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await fixture.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Some platforms keep nothing for a bot that never was there. */
async function speak(kind: PlatformKind, platform: ChannelPlatform): Promise<void> {
  await until(() => platform.consumers > 0, 'somebody who listens');
  for (const word of WORDS)
    await platform.write({ chat: kind.chat, by: kind.person, name: 'Ann', text: `said-${word}` });
}

const settled = (kind: PlatformKind, { platform, home }: Pick<Harness, 'platform' | 'home'>): Promise<unknown> =>
  until(
    () => WORDS.every((word) => answers(kind, platform).includes(word)) && openRows(home) === 0,
    'every answer',
  ).catch(() => undefined /* what is missing is counted */);

/** Four messages, a death at `at`, another run: what came of it. */
async function dieAt(at: string, kind: PlatformKind, harness: Harness): Promise<Damage> {
  const first = await harness.begin(at);
  await until(() => harness.platform.consumers > 0, 'the connection');
  await speak(kind, harness.platform);
  await first.gone;
  harness.fixture.linger = undefined;
  const second = await harness.begin();
  await settled(kind, harness);
  await stop(second);
  return count(kind, harness.platform, harness.home);
}

function assertWhole(damage: Damage, doubled: number, seen: readonly string[]): void {
  assert.deepEqual(damage, { lost: 0, doubled, reordered: 0, unended: 0 }, seen.join(' '));
  assert.ok(damage.doubled <= 1, `what cannot be known is said once more at most: ${seen.join(' ')}`);
}

describe('crash matrix of the channels', { concurrency: 2 }, () => {
  after(() => console.log(table()));
  for (const { kind, checkpoint } of CASES)
    it(`${kind.id} survives kill -9 at ${checkpoint}`, { timeout: 120_000 }, async () => {
      await using harness = await openHarness(kind);
      const damage = await dieAt(`${checkpoint}:2`, kind, harness);
      rows.push({ platform: kind.id, at: checkpoint, damage });
      const doubled = kind.once || !UNKNOWABLE.includes(checkpoint) ? 0 : damage.doubled;
      assertWhole(damage, doubled, answers(kind, harness.platform));
    });

  for (const { kind, at } of PREVIEW_CASES)
    it(`${kind.id} survives kill -9 at ${at} with previews`, { timeout: 120_000 }, async () => {
      await using harness = await openHarness(kind, 'preview');
      // The end of an answer waits until its beginning is seen, so that there is a preview on any machine.
      harness.fixture.linger = (said) =>
        until(
          () =>
            harness.fixture.linger === undefined || answers(kind, harness.platform).some((word) => said.includes(word)),
          'the preview',
        );
      const damage = await dieAt(at, kind, harness);
      rows.push({ platform: kind.id, at: `${at} preview`, damage });
      assertWhole(damage, kind.once ? 0 : damage.doubled, answers(kind, harness.platform));
    });

  for (const kind of PLATFORMS)
    it(`${kind.id} survives a network that fails`, { timeout: 90_000 }, async () => {
      await using harness = await openHarness(kind);
      const running = await harness.begin();
      await until(() => harness.platform.consumers > 0, 'somebody who listens');
      for (const [index, how] of (['rate-limit', 'server-error', 'accepted-timeout', 'dropped'] as const).entries()) {
        harness.platform.failSends(how, 1);
        await harness.platform.write({ chat: kind.chat, by: kind.person, name: 'Ann', text: `said-${WORDS[index]!}` });
        await until(() => answers(kind, harness.platform).includes(WORDS[index]!), `the answer after ${how}`);
        harness.platform.cut();
      }
      await settled(kind, harness);
      await stop(running);
      const damage = count(kind, harness.platform, harness.home);
      rows.push({ platform: kind.id, at: 'faulty network', damage });
      assertWhole(damage, kind.once ? 0 : damage.doubled, answers(kind, harness.platform));
    });
});

const rank = ({ platform, at }: { readonly platform: string; readonly at: string }): number =>
  PLATFORMS.findIndex(({ id }) => id === platform) * 100 +
  (CHECKPOINTS.includes(at) ? CHECKPOINTS.indexOf(at) : CHECKPOINTS.length);

function table(): string {
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, index) => String(cell).padEnd(index < 2 ? 26 : 11)).join('');
  return [
    '',
    line(['platform', 'killed at', 'lost', 'doubled', 'reordered', 'unended']),
    ...rows
      .toSorted((a, b) => rank(a) - rank(b))
      .map(({ platform, at, damage: d }) => line([platform, at, d.lost, d.doubled, d.reordered, d.unended])),
  ].join('\n');
}
