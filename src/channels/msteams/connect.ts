/** Connects one account: verifies its credentials, opens the webhook, and wires up this folder's parts. */
import {
  AppError,
  createIntake,
  createProblemBoard,
  markHandled,
  httpCall,
  present,
  type ActionCall,
  type ChannelAccount,
  type ChannelConnection,
} from '../../sdk/index.ts';
import { createConnectorApi, type ConnectorApi } from './api.ts';
import { buttonCard } from './cards.ts';
import { isAllowedHost, type TeamsConfig } from './config.ts';
import { noteOwn } from './inbound.ts';
import { openReferences } from './references.ts';
import { createSender, type SendDeps, type Sender } from './send.ts';
import { openCardStore } from './card-store.ts';
import { CREDENTIALS_FIX, openToken, type Token } from './token.ts';
import { createRequestProof, loadJose } from './verify-request.ts';
import { createWebhook } from './webhook.ts';

type Account = ChannelAccount<TeamsConfig>;

const CLOSE_MS = 4000;
const FILE_MS = 120_000;
const RETRY = { kind: 'runtime', fix: 'The gateway keeps trying.' } as const;

export async function connect(account: Account): Promise<ChannelConnection> {
  const { config, credentials, log, signal } = account;
  const [appId, secret] = [credentials['appId'] ?? config.appId, credentials['appPassword'] ?? config.appPassword];
  // Without them anybody could speak for anybody.
  if (!appId || !secret)
    throw new AppError('auth', `Microsoft Teams does not start without credentials. ${CREDENTIALS_FIX}`);
  const jose = await loadJose();
  const over = Promise.withResolvers<void>();
  void markHandled(over.promise);
  const problems = createProblemBoard(account.report);
  await using opening = new AsyncDisposableStack();
  const token = opening.use(
    await openToken({
      config,
      appId,
      secret,
      signal,
      onRenewed() {
        problems.set('token', undefined);
        account.report({ alive: true });
      },
      onFailed(error) {
        if (error.code === 'auth') over.reject(error);
        else problems.set('token', { ...RETRY, message: error.message });
      },
    }),
  );
  const own = new Map<string, true>();
  const send: SendDeps = {
    account,
    api: createConnectorApi(token, over.reject),
    appId,
    references: opening.use(await openReferences(account)),
    cardStore: await openCardStore(account.stateDir),
    onSent: (id) => noteOwn(own, id),
  };
  const intake = opening.use(createIntake({ log, closeMs: CLOSE_MS }));
  const proof = createRequestProof(jose, config, appId);
  opening.use(
    account.mount(config.webhookPath, createWebhook({ account, intake, proof, send, isOurs: (id) => own.has(id) })),
  );
  account.report({ connected: true, alive: true, mode: 'webhook', self: { id: appId } });
  const closing = opening.move();
  return {
    ...abilities(account, { sender: createSender(send), token, api: send.api }),
    ended: over.promise,
    async [Symbol.asyncDispose]() {
      await closing[Symbol.asyncDispose]();
      account.report({ connected: false });
      over.resolve();
    },
  };
}

interface Parts {
  readonly sender: Sender;
  readonly token: Token;
  readonly api: ConnectorApi;
}

function abilities(
  { config }: Account,
  { sender: { card, ...sender }, token }: Parts,
): Omit<ChannelConnection, typeof Symbol.asyncDispose> {
  return {
    ...sender,
    act: (action, call) => act(card, action, call),
    async download(ref, { maxBytes, signal }) {
      const service = isAllowedHost(ref, config.serviceHosts);
      if (!service && !isAllowedHost(ref, config.mediaAllowHosts))
        throw new AppError('denied', 'The file lies on a host that channels.msteams.mediaAllowHosts does not allow.');
      // The token goes to the connector alone.
      const headers = service ? { authorization: `Bearer ${await token.get()}` } : {};
      const answer = await httpCall({
        service: 'the storage of Teams',
        url: ref,
        headers,
        maxBytes,
        timeoutMs: FILE_MS,
        signal,
      });
      if (answer.status !== 200)
        throw new AppError(
          answer.status < 500 ? 'not_found' : 'unavailable',
          `Teams did not give the file (${answer.status}).`,
        );
      const mime = answer.headers.get('content-type')?.split(';', 1)[0];
      return { data: answer.data, ...present({ mime: mime || undefined }) };
    },
    async probe() {
      try {
        await token.get();
        return { ok: true };
      } catch (error) {
        if (error instanceof AppError) return { ok: false, detail: error.message };
        throw error;
      }
    },
  };
}

async function act(card: Sender['card'], action: string, { to, parameters }: ActionCall): Promise<unknown> {
  if (action !== 'buttons') throw new AppError('unsupported', `Microsoft Teams does not support the action ${action}.`);
  const text = parameters['message'];
  if (!to || typeof text !== 'string' || text === '')
    throw new AppError('invalid', '`target` and `message` are required.');
  return { messageIds: [await card(to, buttonCard(text, parameters['buttons']))] };
}
