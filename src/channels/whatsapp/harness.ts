/** A WhatsApp account of the tests: brings messages, and resolves with what was handed over. */
import assert from 'node:assert/strict';
import type { InboundMessage } from '../../core/message.ts';
import { openHarness, type Harness } from '../../testing/channel-contract/harness.ts';
import { until } from '../../testing/until.ts';
import type { Chat } from '../../testing/channel-platform.ts';
import type { WaContent } from './content.ts';
import { startFakeWhatsapp, type Bringing, type FakeWhatsapp } from './fake.ts';
import whatsapp from './index.ts';

export const ANN = '+15550001001';
export const BOB = '+15550001002';
export const direct: Chat = { kind: 'direct', id: ANN };
export const group: Chat = { kind: 'group', id: '120363041234567890@g.us' };

export interface Stage extends AsyncDisposable {
  readonly harness: Harness;
  readonly platform: FakeWhatsapp;
  /** Brings it, and resolves with what was handed over. */
  receives(content: WaContent, from?: Partial<Bringing>): Promise<InboundMessage>;
}

export async function stage(config: Readonly<Record<string, unknown>> = {}): Promise<Stage> {
  const found: { platform?: FakeWhatsapp } = {};
  const harness = await openHarness({
    plugin: whatsapp,
    async start() {
      const platform = (found.platform = await startFakeWhatsapp());
      return Object.create(platform, { config: { value: { ...platform.config, ...config } } }) as FakeWhatsapp;
    },
    chats: { direct, group },
    people: { ann: ANN, bob: BOB },
  });
  const platform = found.platform!;
  return {
    harness,
    platform,
    async receives(content, from = {}) {
      const id = await platform.bring(content, { chat: direct, by: ANN, ...from });
      const count = harness.fixture.received.length;
      await until(
        () => platform.acknowledged.includes(id) || harness.fixture.received.length > count,
        'what was brought',
      );
      const heard = harness.fixture.received.at(-1);
      assert.ok(heard, 'nothing was handed over');
      return heard;
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}
