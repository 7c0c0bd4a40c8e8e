/**
 * The crash matrix with real platform protocols: killed at every checkpoint of receiving and sending, and with network
 * failures. Nothing is lost; duplicates only where a platform cannot report what it received.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ChannelPlatform, Deliver } from '../../src/testing/channel-platform.ts';
import { until } from '../../src/testing/until.ts';
import { createCaseRunner, type CrashCase } from './case-runner.ts';
import { casesOf, IS_FULL } from './matrix.ts';
import { PLATFORMS as ALL, platformConfig, type PlatformKind } from './platforms.ts';
import { openRows } from './journal.ts';
import type { Running } from './scenario.ts';

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
/**
 * A start costs more than a case: by default three platforms, of which one is polled, one can look and one is called by
 * its platform; each dies at its share of the checkpoints on one state. In full all die everywhere.
 */
const USUAL = ['telegram', 'slack', 'msteams'];
const PLATFORMS = ALL.filter(({ id }) => IS_FULL || USUAL.includes(id));
/** Somebody dies everywhere. */
const CASES = casesOf(
  CHECKPOINTS.flatMap((checkpoint, at) =>
    PLATFORMS.map((_, index) => ({ checkpoint, kind: PLATFORMS[(at + index) % PLATFORMS.length]! })),
  ),
  ({ checkpoint }) => checkpoint,
);
/** By default one of them: what differs between them is how a send is looked up, which the cases above have. */
const WITH_PREVIEWS = ALL.filter(({ previews }) => previews).slice(0, IS_FULL ? undefined : 1);
/** Of the first answer its preview and its end, then the preview of the second. */
const PREVIEW_CASES = casesOf(
  ['send.acknowledged', 'send.before', 'send.after', 'end.before'].flatMap((checkpoint, at) =>
    [1, 2, 3].flatMap((_, turn) =>
      WITH_PREVIEWS.map((_kind, index) => ({
        at: `${checkpoint}:${((at + turn) % 3) + 1}`,
        kind: WITH_PREVIEWS[(at + index) % WITH_PREVIEWS.length]!,
      })),
    ),
  ),
  ({ at }) => at.split(':')[0]!,
);
const rows: { platform: string; at: string; damage: Damage }[] = [];

/** What one case says, and how much had been seen before it. */
interface Script {
  readonly words: readonly string[];
  readonly since: number;
}

interface Case {
  readonly kind: PlatformKind;
  readonly platform: ChannelPlatform;
  readonly crashCase: CrashCase;
  readonly script: Script;
}

const answers = ({ kind, platform, script: { words, since } }: Case): string[] =>
  platform
    .seen(kind.chat)
    .slice(since)
    .map(({ text }) => words.find((word) => text.includes(`said-${word}`)) ?? 'stray');

function count(now: Case): Damage {
  const { words } = now.script;
  const seen = answers(now);
  const first = [...new Set(seen)];
  return {
    lost: words.filter((word) => !seen.includes(word)).length,
    doubled: seen.length - first.length + seen.filter((one) => one === 'stray').length,
    reordered: first.filter((word, index) => words.indexOf(word) < words.indexOf(first[index - 1] ?? word)).length,
    unended: openRows(now.crashCase.home),
  };
}

interface Chain extends AsyncDisposable {
  run(one: (now: Case) => Promise<void>): Promise<void>;
}

/** Cases of one platform, one after the other on one state. */
function createChain(kind: PlatformKind, streaming: 'off' | 'preview'): Chain {
  const on: { platform?: ChannelPlatform } = {};
  const runner = createCaseRunner(async (_home, { url }) => {
    await on.platform?.[Symbol.asyncDispose]();
    on.platform = await kind.start();
    return platformConfig(kind, on.platform, url, streaming);
  });
  return {
    run: (one) =>
      runner.run((crashCase) => {
        const platform = on.platform!;
        const script = {
          words: WORDS.map((word) => `${word}${crashCase.nth}`),
          since: platform.seen(kind.chat).length,
        };
        return one({ kind, platform, crashCase, script });
      }),
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await on.platform?.[Symbol.asyncDispose]();
    },
  };
}

const write = ({ kind, platform }: Case, word: string): Promise<unknown> =>
  platform.write({ chat: kind.chat, by: kind.person, name: 'Ann', text: `said-${word}` });

/** Platforms that post to a webhook learn where the gateway is now. */
function reach({ platform, crashCase }: Case): void {
  const { port } = crashCase.current();
  const deliver = async (path: string, { method, headers, body }: Parameters<Deliver>[1]) => {
    const request = { method, headers, body: new Uint8Array(body) };
    return { status: (await fetch(`http://127.0.0.1:${port}${path}`, request)).status };
  };
  platform.reach?.(Object.assign(deliver, { isThere: () => port !== 0 }));
}

/** Some platforms keep nothing for a bot that never was there. */
async function speak(now: Case): Promise<void> {
  reach(now);
  await until(() => now.platform.consumers > 0, 'somebody who listens');
  for (const word of now.script.words) await write(now, word);
}

const settled = (now: Case): Promise<unknown> =>
  until(
    () => now.script.words.every((word) => answers(now).includes(word)) && openRows(now.crashCase.home) === 0,
    'every answer',
  ).catch(() => undefined /* what is missing is counted */);

/** Says how far everything came where it does not happen. */
async function death({ gone }: Running, now: Case): Promise<void> {
  const state = { gone: false };
  void gone.then(() => (state.gone = true));
  await until(() => state.gone, 'the death').catch((error: unknown) => {
    const { platform, crashCase } = now;
    const facts = {
      consumers: platform.consumers,
      acknowledged: platform.acknowledged.slice(-4),
      answers: answers(now),
      open: openRows(crashCase.home),
    };
    throw new Error(`The gateway went on: ${JSON.stringify(facts)}`, { cause: error });
  });
}

/** Four messages, a death at `at`, another run: what came of it. */
async function dieAt(at: string, now: Case): Promise<Damage> {
  const { crashCase } = now;
  const { fixture } = crashCase;
  const first = crashCase.current();
  // Who dies as a message is accepted must not be about to answer the one before: a send under way cannot be known.
  if (at.startsWith('accept')) fixture.linger = () => until(() => fixture.linger === undefined, 'the death');
  await crashCase.arm(at);
  await speak(now);
  await death(first, now);
  fixture.linger = undefined;
  await crashCase.again();
  reach(now);
  await settled(now);
  return count(now);
}

function assertWhole(damage: Damage, doubled: number, seen: readonly string[]): void {
  assert.deepEqual(damage, { lost: 0, doubled, reordered: 0, unended: 0 }, seen.join(' '));
  assert.ok(damage.doubled <= 1, `what cannot be known is said once more at most: ${seen.join(' ')}`);
}

describe('crash matrix of the channels', { concurrency: 2 }, () => {
  after(() => console.log(table()));
  for (const kind of PLATFORMS)
    describe(kind.id, { concurrency: 1 }, () => {
      const chain = createChain(kind, 'off');
      after(() => chain[Symbol.asyncDispose]());
      for (const { checkpoint } of CASES.filter((one) => one.kind === kind))
        it(`${kind.id} survives kill -9 at ${checkpoint}`, { timeout: 300_000 }, () =>
          chain.run(async (now) => {
            const damage = await dieAt(`${checkpoint}:2`, now);
            rows.push({ platform: kind.id, at: checkpoint, damage });
            const doubled = kind.once || !UNKNOWABLE.includes(checkpoint) ? 0 : damage.doubled;
            assertWhole(damage, doubled, answers(now));
          }),
        );

      it(`${kind.id} survives a network that fails`, { timeout: 300_000 }, () =>
        chain.run(async (now) => {
          const { platform, script } = now;
          reach(now);
          await until(() => platform.consumers > 0, 'somebody who listens');
          for (const [index, how] of (
            ['rate-limit', 'server-error', 'accepted-timeout', 'dropped'] as const
          ).entries()) {
            platform.failSends(how, 1);
            await write(now, script.words[index]!);
            await until(() => answers(now).includes(script.words[index]!), `the answer after ${how}`);
            platform.cut();
          }
          await settled(now);
          const damage = count(now);
          rows.push({ platform: kind.id, at: 'faulty network', damage });
          assertWhole(damage, kind.once ? 0 : damage.doubled, answers(now));
        }),
      );
    });

  for (const kind of WITH_PREVIEWS)
    describe(`${kind.id} with previews`, { concurrency: 1 }, () => {
      const chain = createChain(kind, 'preview');
      after(() => chain[Symbol.asyncDispose]());
      for (const { at } of PREVIEW_CASES.filter((one) => one.kind === kind))
        it(`${kind.id} survives kill -9 at ${at} with previews`, { timeout: 300_000 }, () =>
          chain.run(async (now) => {
            const { fixture } = now.crashCase;
            // The end of an answer waits until its beginning is seen, so that there is a preview on any machine.
            fixture.linger = (said) =>
              until(
                () => fixture.linger === undefined || answers(now).some((word) => said.includes(word)),
                'the preview',
              );
            const damage = await dieAt(at, now);
            rows.push({ platform: kind.id, at: `${at} preview`, damage });
            assertWhole(damage, kind.once ? 0 : damage.doubled, answers(now));
          }),
        );
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
