/** The fake gateway's channels: accounts in every state, pairing requests, answered and unanswered messages. */

type Params = Readonly<Record<string, unknown>>;
interface FakeAccount {
  readonly accountId: string;
  [fact: string]: unknown;
}
export interface FakePairing {
  readonly channel: string;
  readonly accountId: string;
  readonly id: string;
  readonly code: string;
  readonly name?: string;
  readonly handle?: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
}

const OFFERS = [
  {
    id: 'telegram',
    label: 'Telegram',
    blurb: 'A bot you make with @BotFather; nothing of yours has to be reachable.',
    credentials: [{ key: 'token', label: 'Bot token' }],
  },
  {
    id: 'discord',
    label: 'Discord',
    blurb: 'A bot in your servers and in direct messages.',
    credentials: [{ key: 'token', label: 'Bot token' }],
  },
  {
    id: 'slack',
    label: 'Slack',
    blurb: 'An app in your workspace, over a socket it opens itself.',
    credentials: [
      { key: 'botToken', label: 'Bot token' },
      { key: 'appToken', label: 'App token' },
      { key: 'signingSecret', label: 'Signing secret', needed: false },
    ],
  },
  {
    id: 'whatsapp',
    label: 'WhatsApp',
    blurb: 'Chats and groups of a phone number; the gateway is one of its linked devices.',
    credentials: [],
    login: {
      methods: ['qr', 'code'],
      steps: ['Open WhatsApp on the phone.', 'Open Settings → Linked devices → Link a device.', 'Scan the QR code.'],
    },
  },
];

/** The QR code of `2@fake`. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAK4AAACuAQAAAACHdwtDAAAAzElEQVR4nO3Wyw3EIAwE0JFcACXROiW5AEuOxmSl/M7MHvAhCo8cLIwhyK8IbN78ZDA6WqbzzXRsmelk8z6HMnaY9wCfQJez8eUvONBTzlW0ya9aLuW5kblaH/t7Kc+Yu/jV80vZHIGa9x5tmJbbiJaWY9ZNxhwhWlXvkqCA2dljnnkh5awEca7WZVcJmFHZ1Sc6PpubI/a3kH8X4wB47D3vy5Vcl0A6srpczszuVjQZ12HDuim5ipac5DqZjs+fyirX5egV8Ds2b77zAZZl0wuSfPs0AAAAAElFTkSuQmCC';

export class FakeChannels {
  accounts: Record<string, FakeAccount[]> = {};
  pending: FakePairing[] = [];
  messages: object[] = [];
  /** Ends the login that is shown. */
  loginEnds: PromiseWithResolvers<object> | undefined;
  #broadcast: (event: string, payload: unknown) => void;

  constructor(broadcast: (event: string, payload: unknown) => void) {
    this.#broadcast = broadcast;
  }

  ask(request: FakePairing): void {
    this.pending.push(request);
    this.#broadcast('channel.pair.requested', request);
  }

  answer(method: string, params: Params): unknown {
    switch (method) {
      case 'channels.status':
        return this.#status(params);
      case 'channels.capabilities':
        return { channels: OFFERS.map((offer) => offered(offer, this.#of(offer.id).length > 0)) };
      case 'channels.restart':
        return this.#restart(params);
      case 'web.login.start':
        this.loginEnds = Promise.withResolvers();
        return {
          ...loginOf(params),
          ...(params['method'] === 'code' ? { code: 'ABCD-1234' } : { qr: '2@x', qrDataUrl: PICTURE }),
          nth: 1,
        };
      case 'web.login.wait':
        return this.loginEnds?.promise;
      case 'web.login.cancel':
        return { ...loginOf(params), state: 'none' };
      case 'channel.pairing.list':
        return { pending: this.pending };
      case 'channel.pairing.approve':
        return this.#decide(params, 'approved');
      case 'channel.pairing.reject':
        return this.#decide(params, 'rejected');
      case 'access.explain':
        return explained(params);
      case 'access.recent':
        return {
          messages: this.messages.filter(
            (message) => params['refusedOnly'] !== true || (message as { state: string }).state === 'declined',
          ),
        };
      default:
        return undefined;
    }
  }

  #of(channel: string): FakeAccount[] {
    return this.accounts[channel] ?? [];
  }

  #status({ probe, channel }: Params): object {
    const shown = OFFERS.filter(({ id }) => channel === undefined || id === channel);
    if (probe)
      for (const { id } of shown)
        this.accounts[id] = this.#of(id).map((account) => ({
          ...account,
          lastProbeAt: Date.now(),
          probe: account['connected'] ? { ok: true, ms: 84 } : { ok: false, detail: '401 Unauthorized' },
        }));
    return {
      ts: Date.now(),
      channelOrder: shown.map(({ id }) => id),
      channelLabels: Object.fromEntries(shown.map(({ id, label }) => [id, label])),
      channelAccounts: Object.fromEntries(shown.map(({ id }) => [id, this.#of(id)])),
      channelMeta: shown.map(({ id, label }) => ({ id, label, detailLabel: label })),
      channels: {},
      channelDefaultAccountId: {},
    };
  }

  #restart({ channel, accountId }: Params): object {
    const id = String(channel);
    this.accounts[id] = this.#of(id).map((account) =>
      account.accountId === accountId
        ? {
            ...account,
            connected: true,
            running: true,
            problems: [],
            lastError: undefined,
            reconnectAttempts: 0,
            lastConnectedAt: Date.now(),
          }
        : account,
    );
    return { channel: id, accountId: String(accountId), running: true, connected: true };
  }

  #decide({ channel, code }: Params, decision: string): object {
    const request = this.pending.find((one) => one.channel === channel && one.code === code);
    if (!request)
      throw Object.assign(new Error(`no request with the code ${String(code)}`), { code: 'INVALID_REQUEST' });
    this.pending = this.pending.filter((one) => one !== request);
    this.#broadcast('channel.pair.resolved', { ...request, decision, ts: Date.now() });
    return { request };
  }
}

export const loginOf = ({ channel, accountId }: Params): Readonly<Record<string, unknown>> => ({
  channel,
  accountId,
  label: 'WhatsApp',
  state: 'waiting',
  connected: false,
  message: 'Scan the QR code with the phone.',
  steps: [],
});

const offered = (offer: (typeof OFFERS)[number], configured: boolean): object => ({
  aliases: [],
  chats: ['direct', 'group'],
  actions: [],
  ...offer,
  credentials: offer.credentials.map((credential) => ({ needed: true, ...credential })),
  configured,
  setup: [],
});

/** Every state the page can show. */
export function sampleChannels(channels: FakeChannels, now = Date.now()): void {
  const minutes = (count: number): number => now - count * 60_000;
  const common = {
    enabled: true,
    configured: true,
    running: true,
    problems: [],
    dmPolicy: 'pairing',
    groupPolicy: 'allowlist',
  };
  channels.accounts = {
    telegram: [
      {
        ...common,
        accountId: 'default',
        connected: true,
        mode: 'polling',
        self: { id: '1', name: 'Clawd', handle: 'clawd_home_bot' },
        lastConnectedAt: minutes(312),
        lastInboundAt: minutes(2),
        lastOutboundAt: minutes(1),
        credentialSources: { token: 'env' },
      },
    ],
    discord: [
      {
        ...common,
        accountId: 'home',
        name: 'Home server',
        connected: true,
        mode: 'socket',
        self: { id: '2', name: 'Clawd' },
        lastConnectedAt: minutes(95),
        lastInboundAt: minutes(64),
        dmPolicy: 'open',
        groupPolicy: 'open',
        credentialSources: { token: 'config' },
        problems: [
          {
            kind: 'security',
            message: 'Everybody who shares a server with the bot may write to it.',
            fix: 'Set channels.discord.accounts.home.dmPolicy to "pairing".',
          },
        ],
      },
      {
        ...common,
        accountId: 'work',
        connected: false,
        reconnectAttempts: 4,
        lastError: 'Discord refused the token.',
        problems: [
          {
            kind: 'auth',
            message: 'Discord refused the token.',
            fix: 'Make a new one in the developer portal and run: clawdbot channels add --channel discord --account work --token -',
          },
        ],
        credentialSources: { token: 'file' },
      },
    ],
  };
  channels.pending = [
    {
      channel: 'telegram',
      accountId: 'default',
      id: '4711',
      code: 'K7QX2MPA',
      name: 'Ana Alves',
      handle: 'ana',
      createdAtMs: minutes(3),
      lastSeenAtMs: minutes(1),
      expiresAtMs: now + 57 * 60_000,
    },
  ];
  const seen = (over: object): object => ({
    accountId: 'default',
    chat: { kind: 'direct', id: '4711' },
    sender: { id: '4711', name: 'Ana Alves' },
    channel: 'telegram',
    sessionKey: 'agent:main:main',
    agentId: 'main',
    state: 'answered',
    steps: [],
    ...over,
  });
  channels.messages = [
    seen({
      runId: 'seen-1',
      at: minutes(2),
      state: 'declined',
      text: 'Hello, are you there?',
      reason: 'A stranger; they were sent a pairing code',
      steps: [{ step: 'dm-policy', ok: false, setting: 'channels.telegram.dmPolicy', detail: 'pairing' }],
    }),
    seen({
      runId: 'seen-2',
      at: minutes(5),
      sender: { id: '1', name: 'Maria' },
      text: 'What is on the shopping list, and did the plumber answer about Thursday morning?',
    }),
    seen({
      runId: 'seen-3',
      at: minutes(64),
      channel: 'discord',
      accountId: 'home',
      chat: { kind: 'channel', id: '990011223344' },
      threadId: '17',
      sender: { id: '77', name: 'bruno' },
      state: 'declined',
      text: 'anyone up for a match',
      reason: 'The bot was not mentioned',
      steps: [{ step: 'mention', ok: false, setting: 'channels.discord.guilds.*.requireMention', detail: '' }],
    }),
    seen({
      runId: 'seen-4',
      at: minutes(70),
      sender: { id: '1', name: 'Maria' },
      state: 'failed',
      text: 'Summarise this paper',
      reason: 'rate_limited: the model vendor asks to wait',
    }),
    seen({
      runId: 'seen-5',
      at: minutes(71),
      sender: { id: '88' },
      chat: { kind: 'group', id: '-100123' },
      state: 'accepted',
      text: '',
    }),
  ];
}

/** A member of nobody's in particular: their own conversation, and no more. */
function explained({ senderId, verb, resource }: Params): object {
  const rows = [
    ['conversation', 'read', 'own'],
    ['conversation', 'send', 'own'],
    ['session', 'read', 'own'],
    ['received-file', 'read', 'own'],
    ['prompt-file', 'write', 'nowhere'],
    ['configuration', 'read', 'nowhere'],
    ['configuration', 'change', 'nowhere'],
  ] as const;
  const reaches = rows.map(([kind, act, reach]) => ({ kind, verb: act, means: `${act} a ${kind}`, reach }));
  const answer = {
    verb,
    kind: resource,
    means: `${String(verb)} a ${String(resource)}`,
    thing: 'one of another conversation',
    ok: false,
    changes: ['Add "received-files" to access.open: this allows everybody who may write here.'],
    steps: [
      { step: 'standing', ok: true, detail: `Asked by ${String(senderId)} on telegram (member).` },
      { step: 'table', ok: false, detail: 'Only within their own conversation.' },
      { step: 'opening', ok: false, setting: 'access.open', detail: 'The owner can open it.' },
    ],
  };
  const sessionKey = 'agent:main:telegram:direct:4711';
  return {
    route: {
      agentId: 'main',
      sessionKey,
      matchedBy: 'default',
      replyTo: { channel: 'telegram', accountId: 'default', chat: { kind: 'direct', id: String(senderId) } },
    },
    bindings: [],
    sessionKeys: [sessionKey],
    allowed: true,
    reason: 'The message reaches the agent.',
    steps: [],
    commands: false,
    requester: {
      standing: 'member',
      kind: 'people',
      ids: [senderId],
      rights: [],
      sessionKey,
      hands: [],
    },
    reaches,
    ...(verb ? { acts: [answer] } : {}),
  };
}
