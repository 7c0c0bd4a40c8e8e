/** Runs the whole product in this process: real app, real port, temporary state, a fake model vendor. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOnce, type Instance, type RunOptions } from '../app/run-once.ts';
import { present } from '../core/present.ts';
import { connectGateway, type GatewayConnection } from '../gateway/client.ts';
import { systemClock } from '../platform/clock.ts';
import { readEnv } from '../platform/env.ts';
import type { EventFrame } from '../protocol/frames.ts';
import { publishedProtocol } from './published-protocol.ts';
import { startFakeModels, type FakeModelServer } from './fake-models/fake-model-server.ts';
import { tempDir } from './temp-dir.ts';

export interface RunningGateway extends AsyncDisposable {
  readonly stateDir: string;
  readonly models: FakeModelServer;
  readonly instance: Instance;
  connect(): Promise<Chat>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Ends this run and begins another on the same state. */
  restart(options?: { graceMs?: number; port?: number; while?: () => void | Promise<void> }): Promise<void>;
  writeConfig(config: object | string): Promise<void>;
}

/** A client that speaks as a person does. */
export interface Chat extends AsyncDisposable {
  readonly client: GatewayConnection;
  readonly events: EventFrame[];
  /** Sends and resolves with the final text. */
  say(text: string, options?: SayOptions): Promise<string>;
  /** Sends; resolves once accepted. */
  send(text: string, options?: SayOptions): Promise<{ runId: string; ended: Promise<ChatEnd> }>;
  history(sessionKey?: string): Promise<{ role: string; text: string }[]>;
  call<T = any>(method: string, params?: unknown): Promise<T>;
  /** Resolves with the first event from now on, or already seen, that fits. */
  event(fits: (frame: EventFrame & { payload: any }) => boolean): Promise<EventFrame & { payload: any }>;
}

export interface SayOptions {
  readonly session?: string;
  readonly runId?: string;
  readonly attachments?: unknown[];
}
export interface ChatEnd {
  readonly state: 'final' | 'aborted' | 'error';
  readonly text: string;
  readonly payload: any;
}

/** Every frame the product emits in these tests is held against the published protocol. */
const protocol = publishedProtocol();

const TOKEN = 'test-token-of-sufficient-length';

export interface GatewayOptions extends Partial<Pick<RunOptions, 'checkpoint' | 'resolve' | 'version'>> {
  readonly config?: object | string;
  /** Default: the fake vendor's model. */
  readonly offline?: boolean;
  /** Files of the state directory before the first start. */
  readonly before?: (stateDir: string) => Promise<void>;
  /** When the gateway is gone, before the state directory is removed. */
  readonly after?: (stateDir: string) => void;
  readonly token?: string;
}

export async function startGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  // A gateway that refuses to start leaves nothing behind.
  await using starting = new AsyncDisposableStack();
  const dir = starting.use(await tempDir('gateway'));
  const models = starting.use(await startFakeModels());
  const stateDir = join(dir.path, 'state');
  await mkdir(stateDir, { recursive: true });
  const writeConfig = (config: object | string): Promise<void> =>
    writeFile(
      join(stateDir, 'clawdbot.json'),
      typeof config === 'string' ? config : JSON.stringify(options.offline ? config : withModel(config, models.url)),
    );
  if (options.config !== undefined || !options.offline) await writeConfig(options.config ?? {});
  await options.before?.(stateDir);
  const env = readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: stateDir, PATH: process.env['PATH'] });
  const begin = (port = 0): Promise<Instance> =>
    runOnce(
      present({
        env,
        clock: systemClock,
        port,
        token: options.token ?? TOKEN,
        version: options.version ?? '0.0.0-test',
        root: join(import.meta.dirname, '..', '..'),
        checkpoint: options.checkpoint,
        resolve: options.resolve,
      }),
    );
  const state = { instance: await begin() };
  const held = starting.move();
  const open = new Set<Chat>();
  const self: RunningGateway = {
    stateDir,
    models,
    writeConfig,
    get instance() {
      return state.instance;
    },
    async connect() {
      const chat = await createChat(state.instance.port, options.token ?? TOKEN);
      open.add(chat);
      return chat;
    },
    fetch: (path, init = {}) =>
      fetch(`http://127.0.0.1:${state.instance.port}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...init.headers },
      }),
    async restart({ graceMs = 0, port, while: between } = {}) {
      await state.instance.close('test', { graceMs });
      await between?.();
      state.instance = await begin(port);
    },
    async [Symbol.asyncDispose]() {
      for (const chat of open) await chat[Symbol.asyncDispose]();
      await state.instance.close('test', { graceMs: 0 });
      options.after?.(stateDir);
      await held.disposeAsync();
    },
  };
  return self;
}

/** The fake vendor as the only model, unless the test says otherwise. */
export function withModel(config: object, url: string): object {
  const { models, agents, ...rest } = config as { models?: any; agents?: any };
  return {
    models: models ?? {
      providers: {
        fake: {
          baseUrl: `${url}/v1`,
          apiKey: 'k',
          api: 'openai-completions',
          models: [{ id: 'model', contextWindow: 200_000 }],
        },
      },
    },
    agents: { ...agents, defaults: { model: 'fake/model', ...agents?.defaults } },
    ...rest,
  };
}

async function createChat(port: number, token: string): Promise<Chat> {
  const client = await connectGateway({ url: `ws://127.0.0.1:${port}`, token, caps: ['tool-events'] });
  const events: EventFrame[] = [];
  const watchers = new Set<(frame: EventFrame) => void>();
  const faults: unknown[] = [];
  client.subscribe((frame) => {
    events.push(frame);
    try {
      protocol.check(frame);
    } catch (fault) {
      faults.push(fault);
    }
    for (const watch of watchers) watch(frame);
  });
  const event: Chat['event'] = (fits) =>
    new Promise((resolve, reject) => {
      const seen = events.find((frame) => fits(frame as never));
      if (seen) return resolve(seen as never);
      const watch = (frame: EventFrame): void => {
        if (!fits(frame as never)) return;
        watchers.delete(watch);
        resolve(frame as never);
      };
      watchers.add(watch);
      void client.closed.then(() => reject(new Error('The connection closed before the event came.')));
    });
  const send: Chat['send'] = async (text, { session = 'main', runId = `run-${randomUUID()}`, attachments } = {}) => {
    const ended = event(
      (frame) =>
        frame.event === 'chat' &&
        frame.payload.runId === runId &&
        ['final', 'aborted', 'error'].includes(frame.payload.state),
    ).then(
      ({ payload }): ChatEnd => ({
        state: payload.state,
        payload,
        text: textOf(payload.message) || (payload.errorMessage ?? ''),
      }),
    );
    ended.catch(() => undefined);
    await client.call('chat.send', present({ sessionKey: session, message: text, idempotencyKey: runId, attachments }));
    return { runId, ended };
  };
  return {
    client,
    events,
    event,
    send,
    async call(method, params = {}) {
      const payload = await client.call(method, params);
      protocol.check({ type: 'res', id: '1', ok: true, payload }, method);
      return payload as any;
    },
    say: async (text, options) => (await (await send(text, options)).ended).text,
    async history(sessionKey = 'main') {
      const { messages } = await client.call<{ messages: any[] }>('chat.history', { sessionKey, limit: 200 });
      return messages.map((message) => ({ role: message.role, text: textOf(message) }));
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      if (faults.length > 0) throw faults[0];
    },
  };
}

function textOf(message: any): string {
  const content = message?.content;
  return typeof content === 'string'
    ? content
    : (content ?? []).flatMap((block: any) => (block.type === 'text' ? [block.text] : [])).join('');
}
