/** A configuration, an environment and a conversation with secrets in every place, each a distinct marker. */
import { ADDRESSES_PLANTED, alnum, LONE_KEYS, PLANTED, type Planted } from './shapes.ts';

/** Plain markers: nothing but the place tells that they are secrets. */
const plain = new Map<string, string>();
export function secretOf(place: string): string {
  const made = plain.get(place) ?? alnum(`plain ${place}`, 28);
  plain.set(place, made);
  return made;
}
const lone = (name: string): string => LONE_KEYS.find((one) => one.name === `lone ${name}`)!.secret;

export const TOKEN = secretOf('gateway.auth.token');
const LINES: readonly Planted[] = PLANTED.filter(
  ({ name, text }) => !name.includes(' in ') && !text.includes('PRIVATE'),
);

/** Where a vendor and a platform answer, both with what they were told. */
export interface Elsewhere {
  readonly echo: string;
  readonly models: string;
}

export function plantedConfig({ echo, models }: Elsewhere): object {
  return {
    gateway: {
      auth: { token: TOKEN },
      remote: { token: secretOf('gateway.remote.token'), password: secretOf('gateway.remote.password') },
    },
    logging: { level: 'debug', consoleLevel: 'debug' },
    env: { vars: { PLANTED_ONE: secretOf('env.vars'), SENDGRID: lone('SendGrid') }, PLANTED_TWO: secretOf('env') },
    hooks: { enabled: true, token: secretOf('hooks.token') },
    commands: { restart: true },
    models: {
      providers: {
        broken: {
          baseUrl: `${echo}/v1`,
          apiKey: secretOf('models.apiKey'),
          api: 'openai-completions',
          headers: { 'x-mine': secretOf('models.headers') },
          models: [{ id: 'm', contextWindow: 100_000 }],
        },
        odd: {
          baseUrl: `${echo.replace('://', `://me:${secretOf('baseUrl password')}@`)}/v1?key=${secretOf('baseUrl key')}`,
          apiKey: lone('Anthropic'),
          api: 'anthropic-messages',
          models: [{ id: 'm', contextWindow: 100_000 }],
        },
        fake: {
          baseUrl: `${models}/v1`,
          apiKey: lone('OpenAI'),
          api: 'openai-completions',
          models: [{ id: 'model', contextWindow: 200_000 }],
        },
      },
    },
    agents: { defaults: { model: { primary: 'fake/model', fallbacks: [] } } },
    channels: {
      telegram: {
        apiRoot: echo,
        botToken: lone('Telegram bot'),
        allowFrom: ['1'],
        webhookSecret: secretOf('telegram.webhookSecret'),
        accounts: {
          two: { apiRoot: echo, botToken: `987654321:${secretOf('telegram two')}xxxxxxx`, allowFrom: ['1'] },
        },
      },
      discord: { apiRoot: echo, token: lone('Discord bot'), allowFrom: ['1'] },
      slack: {
        apiRoot: echo,
        botToken: lone('Slack bot'),
        appToken: lone('Slack app'),
        userToken: secretOf('slack.userToken'),
        signingSecret: secretOf('slack.signingSecret'),
        allowFrom: ['U1'],
      },
    },
    tools: {
      exec: { security: 'full', ask: 'off' },
      web: { search: { apiKey: secretOf('tools.web') } },
      links: {
        models: [
          {
            command: '/bin/sh',
            args: ['-c', 'echo "failed $0" >&2; exit 1', `--token=${secretOf('tools.links.args')}`, '{{LinkUrl}}'],
          },
        ],
      },
      media: {
        audio: {
          models: [{ provider: 'groq', headers: { authorization: `Bearer ${secretOf('tools.media.headers')}` } }],
        },
      },
    },
    mcp: {
      servers: {
        ...Object.fromEntries(
          LONE_KEYS.map(({ secret }, index) => [`env${index}`, { env: { FOO: secret }, command: 'x' }]),
        ),
        ...Object.fromEntries(ADDRESSES_PLANTED.map(({ text }, index) => [`url${index}`, { url: text }])),
        args: {
          command: 'x',
          args: [
            '--header',
            `Authorization: Bearer ${secretOf('mcp.args header')}`,
            '--api-key',
            secretOf('mcp.args flag'),
            '-v',
          ],
        },
        headers: { url: 'https://e.example.com/mcp', headers: { 'X-Mine': secretOf('mcp.headers') } },
      },
    },
    unmarked: {
      lines: LINES.map(({ text }) => ({ note: text })),
      pem: PLANTED.find(({ name }) => name === 'RSA private key')!.text,
    },
  };
}

export const plantedVars = (): Record<string, string> => ({
  TELEGRAM_BOT_TOKEN: `111222333:${secretOf('TELEGRAM_BOT_TOKEN')}xxxxxxx`,
  GROQ_API_KEY: lone('Groq'),
  DEEPGRAM_API_KEY: secretOf('DEEPGRAM_API_KEY'),
  GITHUB_TOKEN: lone('GitHub'),
  AWS_SECRET_ACCESS_KEY: secretOf('AWS_SECRET_ACCESS_KEY'),
  DATABASE_URL: `postgres://me:${secretOf('DATABASE_URL')}@127.0.0.1/x`,
  SOME_ADDRESS: ADDRESSES_PLANTED[0]!.text,
});

/** What the agent is made to run, and what of it is said nowhere but in its own conversation. */
export const commands = (echo: string): readonly string[] => [
  `curl -sS -H 'Authorization: Bearer ${secretOf('exec header')}' ${echo}/x`,
  `curl -sS -u 'me:${secretOf('exec user')}' '${echo}/y?sig=${secretOf('exec sig')}'`,
  `API_TOKEN=${secretOf('exec variable')} false --password ${secretOf('exec flag')}`,
  `echo ${lone('GitLab')}; exit 3`,
  `cat /nowhere/${lone('Stripe')}`,
];

/** Every marker there is. */
export const allMarkers = (): readonly Planted[] => [
  ...[...plain].map(([name, secret]) => ({ name, text: '', secret })),
  ...LONE_KEYS,
  ...ADDRESSES_PLANTED,
  ...LINES,
  PLANTED.find(({ name }) => name === 'RSA private key')!,
];
