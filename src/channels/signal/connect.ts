/** Connects one account: the daemon, its events, and this folder's parts. */
import {
  AppError,
  createIntake,
  createProblemBoard,
  markHandled,
  onFailure,
  openWatermark,
  present,
  type ChannelAccount,
  type ChannelConnection,
  type InboundMessage,
  type Intake,
  type ProblemBoard,
  type Watermark,
} from '../../sdk/index.ts';
import { daemonUrl, startsDaemon, type SignalConfig } from './config.ts';
import { openDaemon, type Daemon } from './daemon.ts';
import { readEvent, type Envelope, type Event } from './envelope.ts';
import { openEvents } from './events.ts';
import { createIdentities, type Identities } from './identities.ts';
import { bareId } from './ids.ts';
import { normalise } from './inbound.ts';
import { createOutgoing } from './outgoing.ts';
import { openPeople, type People } from './people.ts';
import { createRpc, type Rpc } from './rpc.ts';
import { createSender, noteText } from './send.ts';
import { openSent, type Sent } from './sent.ts';

type Account = ChannelAccount<SignalConfig>;

const CLOSE_MS = 4000;
/** Clocks differ. */
const CLOCK_MS = 60_000;
/** A daemon of ours that is gone this many times in a row is started again. */
const GONE_TIMES = 3;

interface Parts {
  readonly account: Account;
  readonly rpc: Rpc;
  readonly people: People;
  readonly marks: Watermark;
  readonly intake: Intake;
  readonly problems: ProblemBoard;
  readonly identities: Identities;
  readonly texts: Map<string, string>;
  readonly edits: Map<number, number>;
  readonly sent: Sent;
  readonly over: PromiseWithResolvers<void>;
}

export async function connect(account: Account): Promise<ChannelConnection> {
  const { config, log, signal } = account;
  const over = Promise.withResolvers<void>();
  void markHandled(over.promise);
  const url = daemonUrl(config);
  await using opening = new AsyncDisposableStack();
  const rpc = createRpc({ url, account: config.account, onAuthError: over.reject });
  const daemon = startsDaemon(config)
    ? opening.use(await openDaemon({ config, rpc, stateDir: account.stateDir, log, signal }))
    : undefined;
  daemon?.ended.catch(over.reject);
  const marks = opening.use(await openWatermark({ ...account, file: 'events.json' }));
  if (daemon?.fresh) marks.renew();
  const people = opening.use(await openPeople({ account: config.account, stateDir: account.stateDir, log }));
  const problems = createProblemBoard(account.report);
  const parts: Parts = {
    account,
    rpc,
    people,
    marks,
    problems,
    over,
    intake: opening.use(createIntake({ log, closeMs: CLOSE_MS })),
    identities: createIdentities({ account: config.account, rpc, problems, log }),
    texts: new Map(),
    edits: new Map(),
    sent: await openSent(account.stateDir),
  };
  await whoAmI(parts).catch((error: unknown) => {
    throw withAdvice(error, config);
  });
  const events = opening.use(listen(parts, url, daemon));
  await events.ready.catch((error: unknown) => {
    throw withAdvice(error, config);
  });
  const closing = opening.move();
  return {
    ...abilities(parts),
    ended: over.promise,
    async [Symbol.asyncDispose]() {
      await closing[Symbol.asyncDispose]();
      account.report({ connected: false });
      over.resolve();
    },
  };
}

function listen(parts: Parts, url: string, daemon: Daemon | undefined): ReturnType<typeof openEvents> {
  const { account, marks, problems, identities, over } = parts;
  return openEvents({
    url,
    account: account.config.account,
    log: account.log,
    signal: account.signal,
    lastId: () => marks.last,
    async onUp() {
      await whoAmI(parts);
      account.report({
        connected: true,
        alive: true,
        mode: daemon ? 'daemon' : 'external',
        self: { id: account.config.account },
      });
      problems.set('connection', undefined);
      void identities.check();
    },
    onDown(error, times) {
      account.report({ connected: false });
      if (error.code === 'auth' || (daemon && times >= GONE_TIMES)) over.reject(error);
      problems.set('connection', { kind: 'runtime', message: error.message, fix: 'The gateway keeps trying.' });
    },
    onAlive: () => account.report({ alive: true }),
    onEvent: (id, data) => void take(parts, marks.came(id), data),
  });
}

/** Also proves that the account is still registered. */
async function whoAmI({ rpc, people, account: { config } }: Parts): Promise<void> {
  const found = await rpc.call('getUserStatus', { recipient: [config.account] });
  const [self] = Array.isArray(found) ? (found as readonly { number?: string; uuid?: string }[]) : [];
  people.know({ number: self?.number, uuid: self?.uuid });
}

async function take(parts: Parts, taken: () => void, data: string): Promise<void> {
  const { account } = parts;
  const { message, envelope } = receivedFrom(parts, data);
  if (!message) return taken();
  noteText(parts.texts, message.id, message.text);
  const offered = parts.intake.take(message.address.chat.id, () => account.receive(message));
  onFailure(offered, () => undefined); // closed on its way: the daemon sends it again
  await offered.then(
    () => {
      taken();
      if (message.quiet !== true) acknowledge(parts, envelope);
    },
    () => undefined,
  );
}

interface Received {
  readonly message?: InboundMessage | undefined;
  readonly envelope: Envelope;
}

/** An event that is none, or has its fields in another form (`TypeError`), says nothing. */
function receivedFrom(parts: Parts, data: string): Received {
  const malformed = (reason: string): Received => {
    parts.account.log.warn('signal.event.malformed', { bytes: data.length, reason });
    return { envelope: {} };
  };
  try {
    const event = readEvent(data);
    if (!event) return malformed('it is no JSON object');
    return { envelope: event.envelope ?? {}, message: messageIn(parts, event) };
  } catch (error) {
    // A field of another type than the daemon documents: what was done with it says which.
    if (!(error instanceof TypeError)) throw error;
    return malformed(error.message);
  }
}

function messageIn(parts: Parts, { envelope, exception, account: of }: Event): InboundMessage | undefined {
  const { account, identities, marks } = parts;
  if (exception?.type === 'UntrustedIdentityException')
    identities.distrusted(envelope?.sourceNumber ?? envelope?.sourceUuid ?? 'somebody');
  const late = (envelope?.serverReceivedTimestamp ?? Infinity) < marks.since - CLOCK_MS;
  const foreign = of !== undefined && of !== account.config.account;
  const message = envelope && !late && !foreign ? normalise(envelope, contextOf(parts)) : undefined;
  if (envelope) learn(parts, envelope);
  return message;
}

/** What tells which messages of the account arrived, and which were sent by another device. */
function learn({ people, sent }: Parts, { sourceNumber, sourceUuid, receiptMessage, syncMessage }: Envelope): void {
  const person = people.idOf({ number: sourceNumber, uuid: sourceUuid });
  const times = receiptMessage?.timestamps;
  if (person !== undefined && Array.isArray(times)) sent.confirmed(person, times.filter(Number.isSafeInteger));
  const elsewhere = syncMessage?.sentMessage;
  const { destinationNumber: number, destinationUuid: uuid } = elsewhere ?? {};
  const chat = elsewhere?.groupInfo?.groupId ?? people.idOf({ number, uuid });
  if (chat !== undefined && typeof elsewhere?.timestamp === 'number') sent.elsewhere(chat, elsewhere.timestamp);
}

const contextOf = ({ account, people, edits }: Parts) => ({
  accountId: account.accountId,
  config: account.config,
  people,
  edits,
});

/** Nothing waits for it, and nothing is lost without it. */
function acknowledge({ account, rpc, people }: Parts, envelope: Envelope): void {
  const sender = people.idOf({ number: envelope.sourceNumber, uuid: envelope.sourceUuid });
  if (!account.config.sendReadReceipts || sender === undefined || typeof envelope.timestamp !== 'number') return;
  const receipt = { recipient: bareId(sender), targetTimestamp: [envelope.timestamp], type: 'read' };
  rpc
    .call('sendReceipt', receipt)
    .catch((error: unknown) =>
      account.log.debug('signal.receipt', { code: error instanceof AppError ? error.code : 'internal' }),
    );
}

function abilities({
  account,
  rpc,
  texts,
  identities,
  sent,
}: Parts): Omit<ChannelConnection, typeof Symbol.asyncDispose> {
  const { account: number } = account.config;
  return {
    ...createSender({ account, rpc, texts, onIdentity: identities.learn, sent }),
    ...createOutgoing(rpc, number, sent),
    readBack: (to, token, { since }) => sent.readBack(to, token, since, account.signal),
    async probe(signal) {
      try {
        const version = (await rpc.call('version', {}, { signal })) as { readonly version?: string } | undefined;
        return present({ ok: true, detail: version?.version && `signal-cli ${version.version}` });
      } catch (error) {
        if (error instanceof AppError) return { ok: false, detail: error.message };
        throw error;
      }
    },
  };
}

function withAdvice(error: unknown, { httpUrl }: SignalConfig): unknown {
  if (!(error instanceof AppError) || error.code !== 'unavailable' || httpUrl === undefined) return error;
  return new AppError(
    error.code,
    `${error.message} Start the daemon (\`signal-cli -a <number> daemon --http 127.0.0.1:8080\`) or correct ` +
      'channels.signal.httpUrl; it is tried again.',
    { cause: error },
  );
}
