/** The platforms of the crash tests: fake servers, and a person on each who writes to the bot. */
import { join } from 'node:path';
import type { Chat, ChannelPlatform } from '../../src/testing/channel-platform.ts';

export interface PlatformKind {
  readonly id: string;
  start(): Promise<ChannelPlatform>;
  readonly chat: Chat;
  /** The person's stable id. */
  readonly person: string;
  /** A send whose answer never came can be looked up, or sent again without being shown twice. */
  readonly once: boolean;
  /** What was sent can be changed, so an answer can be shown while it is written. */
  readonly previews: boolean;
}

export const PLATFORMS: readonly PlatformKind[] = [
  {
    id: 'telegram',
    start: async () => (await import('../../src/channels/telegram/fake.ts')).startFakeTelegram(),
    chat: { kind: 'direct', id: '501' },
    person: '501',
    once: false,
    previews: true,
  },
  {
    id: 'discord',
    start: async () => (await import('../../src/channels/discord/fake.ts')).startFakeDiscord(),
    chat: { kind: 'direct', id: '501' },
    person: '501',
    once: true,
    previews: true,
  },
  {
    id: 'slack',
    start: async () => (await import('../../src/channels/slack/fake.ts')).startFakeSlack(),
    chat: { kind: 'direct', id: 'U0ANN00001' },
    person: 'U0ANN00001',
    once: true,
    previews: true,
  },
  {
    id: 'irc',
    start: async () => (await import('../../src/channels/irc/fake.ts')).startFakeIrc(),
    chat: { kind: 'direct', id: 'ann' },
    person: 'ann',
    once: true,
    previews: false,
  },
  {
    id: 'signal',
    start: async () => (await import('../../src/channels/signal/fake.ts')).startFakeSignal(),
    chat: { kind: 'direct', id: '+15550000002' },
    person: '+15550000002',
    once: true,
    previews: false,
  },
  {
    id: 'imessage',
    start: async () => (await import('../../src/channels/imessage/fake.ts')).startFakeImsg(),
    chat: { kind: 'direct', id: '+15550000002' },
    person: '+15550000002',
    once: true,
    previews: false,
  },
  {
    id: 'whatsapp',
    start: async () => (await import('../../src/channels/whatsapp/fake.ts')).startFakeWhatsapp(),
    chat: { kind: 'direct', id: '+15550001001' },
    person: '+15550001001',
    once: true,
    previews: false,
  },
  {
    id: 'email',
    start: async () =>
      (await import('../../src/channels/email/fake.ts')).startFakeMail({ conversation: 'c@example.org' }),
    chat: { kind: 'direct', id: 'ann@example.org' },
    person: 'ann@example.org',
    once: false,
    previews: false,
  },
  {
    id: 'msteams',
    start: async () => (await import('../../src/channels/msteams/fake.ts')).startFakeTeams(),
    chat: { kind: 'direct', id: '11111111-1111-4111-8111-111111111111' },
    person: '11111111-1111-4111-8111-111111111111',
    once: false,
    previews: false,
  },
];

/** `streaming`: whether an answer is shown while it is written, which a busy machine must not decide. */
export const platformConfig = (
  { id, person }: PlatformKind,
  platform: ChannelPlatform,
  modelUrl: string,
  streaming: 'off' | 'preview',
): string =>
  JSON.stringify({
    agents: { defaults: { model: 'fixture/m', workspace: join('~', 'work') } },
    models: {
      providers: {
        fixture: {
          baseUrl: `${modelUrl}/v1`,
          apiKey: 'k',
          api: 'openai-completions',
          models: [{ id: 'm', contextWindow: 100_000 }],
        },
      },
    },
    channels: { [id]: { ...platform.config, ...platform.credentials, allowFrom: [person], streaming } },
    messages: { queue: { mode: 'followup' } },
  });
