/** Runs one instance of the gateway in this process, from configuration to shutdown; a restart starts the next one. */
import { join } from 'node:path';
import { createConfigStore } from '../config/create-store.ts';
import { configVars } from '../config/env-vars.ts';
import { lintConfig } from '../config/lint.ts';
import { reportConfig } from '../config/state.ts';
import type { ConfigStore } from '../config/store.ts';
import { present } from '../core/present.ts';
import type { GatewayConfig } from '../gateway/config.ts';
import { createGateway } from '../gateway/create-gateway.ts';
import { demandingSchema, demandLongSecret, gatewaySecret, guessableIn } from '../gateway/gateway-token.ts';
import type { GatewayLock } from '../gateway/lock.ts';
import type { Feature } from '../host/feature.ts';
import { followConfig } from '../host/follow-config.ts';
import { restartRules } from '../host/reload-rules.ts';
import { sendRestartNotices } from '../host/notify-restarted.ts';
import { withVars } from '../platform/env.ts';
import { watchEventLoop } from '../platform/event-loop.ts';
import { dailyLogFile } from '../platform/log-config.ts';
import { createEarlyLog, openLog } from '../platform/open-log.ts';
import { configCheck } from '../plugins/check-config.ts';
import { findFeatures } from '../plugins/find-features.ts';
import { checkChange } from '../plugins/check-change.ts';
import { rulesOfFeatures, withFeatures, type Config } from '../schema.ts';
import type { AppDeps } from './app-deps.ts';
import { createApp } from './create-app.ts';
import { createRestarter } from '../host/restarter.ts';
import { createServices } from './services.ts';

export interface RunOptions extends Pick<AppDeps, 'env' | 'clock' | 'version' | 'root' | 'checkpoint' | 'resolve'> {
  readonly lock?: Pick<GatewayLock, 'setPort'>;
  readonly port?: number | undefined;
  readonly bind?: string | undefined;
  readonly token?: string | undefined;
  readonly verbose?: boolean;
  readonly stdout?: { write(text: string): unknown };
  /** A restart was planned: one signal may do the same until then, milliseconds since the epoch. */
  authoriseSignal?(until: number, fresh: boolean): void;
}

/** `fresh`: with the code on disk, which is another than the one running. */
export interface StopRequest {
  readonly restart: boolean;
  readonly reason: string;
  readonly fresh?: boolean;
}

export interface Instance {
  readonly port: number;
  readonly url: string;
  /** The Control UI with its token in the fragment, which browsers never send. */
  readonly uiUrl: string;
  readonly token: string | undefined;
  readonly config: ConfigStore<Config>;
  /** Resolves when the gateway wants to end by itself. */
  readonly stopRequest: Promise<StopRequest>;
  restart(reason: string): void;
  close(reason: string, options?: { readonly restartExpectedMs?: number; readonly graceMs?: number }): Promise<void>;
}

const GRACE_MS = 10_000;

export async function runOnce(options: RunOptions): Promise<Instance> {
  const { env, clock, version, root } = options;
  const startedAt = clock.now();
  const features = await findFeatures();
  const { config, log, overrides } = await configured(options, features);
  const begunWith = config.current();
  const stopRequest = Promise.withResolvers<StopRequest>();
  const restart = (reason: string, fresh = false): void =>
    stopRequest.resolve(present({ restart: true, reason, fresh: fresh || undefined }));
  const authorise = options.authoriseSignal;
  const requestRestart = createRestarter({ stateDir: env.stateDir, clock, log, restart, ...present({ authorise }) });
  const listening: { port?: number } = {};
  const app = await createApp({
    startedAt,
    features,
    listening: { port: () => listening.port, bySystem: (overrides.port ?? begunWith.gateway.port) === 0 },
    env: withVars(env, configVars(begunWith.env)),
    config,
    log,
    clock,
    version,
    requestRestart,
    root,
    ...present({ checkpoint: options.checkpoint, resolve: options.resolve }),
  });
  const eventLoop = watchEventLoop();
  const state: { phase: 'starting' | 'ready' | 'draining' } = { phase: 'starting' };
  const services = createServices({
    app,
    config,
    version,
    eventLoop,
    progress: { startedAt, phase: () => state.phase },
    gatewayConfig: () => ({ ...config.current().gateway, ...overrides }),
    logFile: { path: () => log.file() ?? dailyLogFile(env.stateDir, clock.now()), onWritten: log.onWritten },
    requestRestart,
  });
  const gateway = services.gatewayConfig();
  const secret = await gatewaySecret({ env, config: gateway, option: options.token, log });
  demandLongSecret({ config: gateway, secret, log });
  const { devices } = app.features;
  const uiDir = join(root, 'dist', 'ui');
  const { ws, server } = createGateway({ services, devices, clock, config: gateway, secret, uiDir });
  const { port, urls } = await server.listen();
  listening.port = port;
  await options.lock?.setPort(port);
  await app.start();
  state.phase = 'ready';
  log.info('gateway.ready', { port, ms: clock.now() - startedAt });
  const unfollow = followConfig(begunWith, { config, log, needsRestart: restartRules(features), requestRestart });
  await sendRestartNotices(env.stateDir, clock.now(), { log, postNotice: app.flow.postNotice, wake: services.wake });

  return {
    port,
    url: urls[0]!,
    token: secret.token,
    config,
    restart,
    stopRequest: stopRequest.promise,
    uiUrl: `${urls[0]!}${secret.token === undefined ? '' : `#token=${encodeURIComponent(secret.token)}`}`,
    async close(reason, { restartExpectedMs, graceMs = GRACE_MS } = {}) {
      state.phase = 'draining';
      unfollow();
      server.beginDrain();
      ws.announceShutdown(present({ reason, restartExpectedMs }));
      await app.close(graceMs);
      await server.close({ deadlineMs: 1000 });
      await ws[Symbol.asyncDispose]();
      eventLoop[Symbol.dispose]();
      await config[Symbol.asyncDispose]();
      await log.close();
    },
  };
}

/** The configuration and the log it asks for; what the command line and the environment say of the gateway. */
async function configured(options: RunOptions, features: readonly Feature[]) {
  const { env, clock, token } = options;
  const early = createEarlyLog();
  const overrides: Partial<GatewayConfig> = present({
    port: options.port ?? env.gatewayPort,
    bind: options.bind as GatewayConfig['bind'] | undefined,
  });
  const config: ConfigStore<Config> = await createConfigStore({
    schema: demandingSchema(withFeatures(features, overrides), { env, option: token, overrides }),
    rules: rulesOfFeatures(features),
    env,
    clock,
    watch: true,
    log: early,
    lint: lintConfig,
    check: configCheck(env),
    // Nobody is there to insist when the platform is silent, so that it is written then.
    vet: checkChange(env, { unanswered: 'accept' }),
    settleMs: ({ gateway }) => gateway.reload.debounceMs,
    follows: ({ gateway }) => gateway.reload.mode !== 'off',
  });
  const guessable = guessableIn(config.snapshot());
  if (guessable) {
    await config[Symbol.asyncDispose]();
    throw guessable;
  }
  const log = openLog(config.current().logging, options);
  early.become(log);
  reportConfig(log, config.snapshot());
  return { config, log, overrides };
}
