/**
 * Microsoft's services on 127.0.0.1: login, keys, a Bot Connector that signs and retries, file storage; and users who
 * write, vote and accept files.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { createKeyedQueue, createSerialQueue } from '../../platform/keyed-queue.ts';
import type { ChannelPlatform, Chat, Deliver, Said } from '../../testing/channel-platform.ts';

export const APP_ID = '00000000-aaaa-4bbb-8ccc-000000000001';
export const TENANT = '00000000-aaaa-4bbb-8ccc-0000000000ff';
const SECRET = 'teams-test-secret';
const PATH = '/msteams/messages';
const RETRY_MS = 40;

type Fault = Parameters<ChannelPlatform['failSends']>[0];

interface Shown {
  readonly id: string;
  readonly conversation: string;
  text: string;
  format: string;
  readonly replyTo: string | undefined;
  attachments: readonly any[];
}

/** How a request is signed; what is not given is right. */
export interface Signing {
  readonly issuer?: string;
  readonly audience?: string;
  readonly serviceurl?: string;
  readonly expires?: string;
  readonly foreignKey?: boolean;
}

export interface FakeTeams extends ChannelPlatform {
  readonly url: string;
  /** Every call of the connector's interface. */
  readonly calls: readonly { readonly method: string; readonly path: string; readonly body: any }[];
  readonly uploads: readonly Buffer[];
  /** Posts an activity once; its status. */
  post(activity: object, signing?: Signing): Promise<number>;
  /** An activity of a person, ready to be posted. */
  activity(said: Said, more?: object): { readonly id: string; readonly [key: string]: unknown };
}

/** Activities that no connector posts: signed, and without what they have to have. */
const BABBLE: readonly unknown[] = [
  null,
  [],
  'words',
  {},
  { type: 'message' },
  { type: 'something-new', channelId: 'msteams' },
  { type: 'message', channelId: 'msteams', conversation: 7, from: null, text: {}, attachments: 'none' },
  { type: 'messageReaction', channelId: 'msteams', reactionsAdded: 'like' },
  { type: 'invoke', name: 7, value: 'x' },
];

/** Made once: each takes a tenth of a second of the processor. */
const made: { keys?: ReturnType<typeof makeKeys> } = {};

const makeKeys = () =>
  Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')] as const);

export async function startFakeTeams(): Promise<FakeTeams> {
  const [{ publicKey, privateKey }, other] = await (made.keys ??= makeKeys());
  const shown: Shown[] = [];
  const calls: { method: string; path: string; body: any }[] = [];
  const uploads: Buffer[] = [];
  const files = new Map<string, { readonly data: Uint8Array; readonly mime: string }>();
  const typing = new Map<string, number>();
  const acknowledged = new Set<string>();
  const activities = new Map<string, object>();
  const faults: Fault[] = [];
  const signatures = createSerialQueue();
  const firsts = createKeyedQueue();
  /** It begins to repeat in the order of each conversation; nobody waits for the first answer. */
  const repeats = createKeyedQueue();
  const state: { valid: boolean; time: number; deliver: Deliver | undefined; closed: boolean } = {
    valid: true,
    time: Date.now(),
    deliver: undefined,
    closed: false,
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = (): number => (state.time = Math.max(state.time + 1, Date.now()));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const path = decodeURIComponent(new URL(request.url!, url).pathname);
    const answer = (status: number, body: object): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' })
        .end(JSON.stringify(body));
    if (path.endsWith('/oauth2/v2.0/token')) return answer(...login(raw.toString()));
    if (path === '/openid') return answer(200, { issuer: 'https://api.botframework.com', jwks_uri: `${url}/keys` });
    if (path === '/keys')
      return answer(200, {
        keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', endorsements: ['msteams'] }],
      });
    if (path === '/upload') return (uploads.push(raw), answer(201, {}));
    const file = files.get(path);
    if (file) return void response.writeHead(200, { 'content-type': file.mime }).end(file.data);
    if (!state.valid || request.headers.authorization !== 'Bearer good')
      return answer(401, { error: { code: 'Unauthorized', message: 'Authorization has been denied' } });
    const body = raw.length > 0 ? JSON.parse(raw.toString()) : undefined;
    calls.push({ method: request.method!, path, body });
    const [status, data] = connector(request.method!, path, body);
    if (status === 0) response.destroy();
    else answer(status, data);
  }

  function login(form: string): [number, object] {
    const given = new URLSearchParams(form);
    const good = state.valid && given.get('client_id') === APP_ID && given.get('client_secret') === SECRET;
    if (good) return [200, { access_token: 'good', expires_in: 1 }];
    return [401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' }];
  }

  const refuse = (status: number, code: string, message: string): [number, object] => [
    status,
    { error: { code, message } },
  ];

  function connector(method: string, path: string, body: any): [number, object] {
    const [, conversation, , id] = /^\/v3\/conversations(?:\/([^/]+)(\/activities(?:\/([^/]+))?)?)?$/.exec(path) ?? [];
    if (conversation === undefined) return [201, { id: `a:${body.members[0].id}` }];
    const known = shown.find((one) => one.id === id);
    if (method === 'PUT' || method === 'DELETE') {
      if (!known) return refuse(404, 'ActivityNotFoundInConversation', 'not found');
      if (method === 'DELETE') shown.splice(shown.indexOf(known), 1);
      else Object.assign(known, { text: body.text ?? known.text, attachments: body.attachments ?? known.attachments });
      return [200, { id }];
    }
    if (body.type === 'typing') {
      typing.set(conversation, (typing.get(conversation) ?? 0) + 1);
      return [201, { id: 't' }];
    }
    const fault = faults[0] === 'markup' && body.textFormat === 'plain' ? undefined : faults.shift();
    if (fault === 'rate-limit') return refuse(429, 'TooManyRequests', 'slow down');
    if (fault === 'refused')
      return refuse(403, 'ConversationBlockedByUser', 'User blocked the conversation with the bot.');
    if (fault === 'server-error') return refuse(503, 'ServiceUnavailable', 'try again');
    if (fault === 'markup') return refuse(400, 'BadSyntax', 'textFormat markdown could not be read');
    if (fault === 'dropped') return [0, {}];
    const made = {
      id: String(now()),
      conversation,
      text: body.text ?? '',
      format: body.textFormat ?? '',
      replyTo: body.replyToId,
      attachments: body.attachments ?? [],
    };
    shown.push(made);
    return fault === 'accepted-timeout' ? [0, {}] : [201, { id: made.id }];
  }

  async function sign({ issuer, audience, serviceurl, expires = '5m', foreignKey = false }: Signing): Promise<string> {
    const key: CryptoKey = foreignKey ? other.privateKey : privateKey;
    return new SignJWT({ serviceurl: serviceurl ?? url })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(issuer ?? 'https://api.botframework.com')
      .setAudience(audience ?? APP_ID)
      .setExpirationTime(expires)
      .sign(key);
  }

  async function post(activity: object, signing: Signing = {}): Promise<number> {
    if (!state.deliver) return 0;
    const authorization = `Bearer ${await signatures.run(() => sign(signing))}`;
    const body = Buffer.from(JSON.stringify(activity));
    return (
      await state.deliver(PATH, { method: 'POST', headers: { authorization }, body }).catch(() => ({ status: 0 }))
    ).status;
  }

  async function once(id: string): Promise<boolean> {
    const status = await post(activities.get(id)!);
    if (status >= 200 && status < 300) acknowledged.add(id);
    return acknowledged.has(id);
  }

  /** Again and again, as long as nobody takes it. */
  async function deliver(id: string): Promise<void> {
    acknowledged.delete(id);
    const { conversation } = activities.get(id) as { readonly conversation: { readonly id: string } };
    // One after the other: requests side by side may overtake each other.
    const first = firsts.run(conversation.id, () => once(id));
    await repeats.run(conversation.id, async () => {
      if (await first) return;
      while (!state.closed && !(await once(id))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    });
  }

  const conversationOf = ({ kind, id, threadId }: Chat): string =>
    kind === 'direct' ? `a:${id}` : threadId ? `${id};messageid=${threadId}` : id;
  const TYPES = { direct: 'personal', group: 'groupChat', channel: 'channel' } as const;

  function activity({ chat, by, name, text = '', mention, file, quotes }: Said, more: object = {}): any {
    const id = String(now());
    const path = `/files/${id}`;
    if (file) files.set(path, file);
    const quoted =
      `<blockquote itemtype="http://schema.skype.com/Reply" itemid="${quotes}"><strong itemprop="mri">X</strong>` +
      `<p itemprop="preview">/elevated full</p></blockquote><p>${text}</p>`;
    const download = { downloadUrl: `${url}${path}`, uniqueId: id, fileType: file?.name.split('.').at(-1) };
    return {
      type: 'message',
      id,
      timestamp: new Date(state.time).toISOString(),
      serviceUrl: url,
      channelId: 'msteams',
      from: { id: by === APP_ID ? `28:${APP_ID}` : `29:${by}`, name: name ?? by, aadObjectId: by },
      recipient: { id: `28:${APP_ID}`, name: 'Clawd' },
      conversation: { id: conversationOf(chat), conversationType: TYPES[chat.kind], tenantId: TENANT },
      channelData: {
        tenant: { id: TENANT },
        ...(chat.kind === 'channel' ? { team: { id: '19:team', name: 'Team' } } : {}),
      },
      text: `${mention ? '<at>Clawd</at> ' : ''}${text}`,
      entities: mention
        ? [{ type: 'mention', text: '<at>Clawd</at>', mentioned: { id: `28:${APP_ID}`, name: 'Clawd' } }]
        : [],
      attachments: [
        ...(file
          ? [{ contentType: 'application/vnd.microsoft.teams.file.download.info', name: file.name, content: download }]
          : []),
        ...(quotes ? [{ contentType: 'text/html', content: quoted }] : []),
      ],
      ...more,
    };
  }

  function begin(made: { readonly id: string }, key = made.id): void {
    activities.set(key, made);
    void deliver(key);
  }

  return {
    url,
    config: {
      tenantId: TENANT,
      serviceUrl: url,
      loginUrl: url,
      openIdUrl: `${url}/openid`,
      serviceHosts: ['smba.example'],
      mediaAllowHosts: ['127.0.0.1'],
    },
    credentials: { appId: APP_ID, appPassword: SECRET },
    botId: APP_ID,
    calls,
    uploads,
    post,
    activity,
    reach: (how) => void (state.deliver = how),
    async write(said) {
      const made = activity(said);
      begin(made);
      return made.id;
    },
    async change(_chat, id, text) {
      const changed = { ...activities.get(id), type: 'messageUpdate', text, timestamp: new Date(now()).toISOString() };
      begin(changed as never, `${id}-edit-${randomUUID()}`);
    },
    async react(chat, id, emoji, by) {
      const type = { '👍': 'like' }[emoji] ?? emoji;
      begin(activity({ chat, by }, { type: 'messageReaction', replyToId: id, reactionsAdded: [{ type }] }));
    },
    async press(chat, id, label, by) {
      const sent = calls.findLast(({ body }) => body?.attachments?.[0]?.content?.actions);
      const { data } = sent!.body.attachments[0].content.actions.find((one: any) => one.title === label);
      begin(activity({ chat, by }, { replyToId: id, value: data }));
    },
    redeliver: (id) => deliver(id),
    seen: (chat) =>
      shown
        .filter(({ conversation }) => conversation === conversationOf(chat))
        .map(({ id, text, format, replyTo, attachments: [first] }) => ({
          id,
          text,
          raw: JSON.stringify({ text, format }),
          reactions: [],
          ...(replyTo ? { replyTo } : {}),
          ...(chat.threadId ? { threadId: chat.threadId } : {}),
          ...(first?.content?.sizeInBytes
            ? { file: { name: first.name, mime: '', size: first.content.sizeInBytes, voice: false } }
            : {}),
        })),
    typed: (chat) => typing.get(conversationOf(chat)) ?? 0,
    failSends: (how, times) => void faults.push(...Array.from({ length: times }, () => how)),
    cut: () => server.closeAllConnections(),
    async babble() {
      for (const activity of BABBLE) await post(activity as object);
    },
    revoke: () => void (state.valid = false),
    get consumers() {
      return state.deliver?.isThere(PATH) ? 1 : 0;
    },
    get acknowledged() {
      return [...acknowledged];
    },
    async [Symbol.asyncDispose]() {
      state.closed = true;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
