/**
 * One run of the gateway inside the process: from configuration to a clean end, which may be the beginning of the next
 * life.
 */
import { join } from 'node:path';
import { createConfigStore } from '../config/create-store.ts';
import { changedPaths } from '../config/diff.ts';
import { configVars } from '../config/env-vars.ts';
import { lintConfig } from '../config/lint.ts';
import { reportConfig } from '../config/state.ts';
import type { ConfigStore } from '../config/store.ts';
import { createGatewayAuth } from '../gateway/auth.ts';
import type { GatewayConfig } from '../gateway/config.ts';
import type { GatewayLock } from '../gateway/lock.ts';
import { createGatewayServer } from '../gateway/server.ts';
import { createFailedLogins } from '../gateway/ws/failed-logins.ts';
import { createGatewayWs } from '../gateway/ws/server.ts';
import type { Clock } from '../platform/clock.ts';
import { withVars, type Env } from '../platform/env.ts';
import { watchEventLoop } from '../platform/event-loop.ts';
import { machineName } from '../platform/machine-name.ts';
import { dailyLogFile } from '../platform/log-config.ts';
import { createLog } from '../platform/log-sink.ts';
import { silentLog } from '../core/log.ts';
import { present } from '../core/present.ts';
import { withFeatures, type Config } from '../schema.ts';
import { findFeatures } from '../plugins/find-features.ts';
import { configCheck } from '../plugins/check-config.ts';
import { vetConfig } from '../plugins/vet-config.ts';
import type { AppDeps } from './app-deps.ts';
import { createApp } from './create-app.ts';
import { demandingSchema, demandLongSecret, gatewaySecret, guessableIn } from './gateway-token.ts';
import { restartRules } from '../host/reload-rules.ts';
import { createRestarter, notifyRestarted } from './restart.ts';
import { takeRestartNotes } from '../host/restart-sentinel.ts';
import { createServices, logPath } from './services.ts';

export interface RunOptions {
  readonly env: Env;
  readonly clock: Clock;
  readonly lock?: Pick<GatewayLock, 'setPort'>;
  readonly port?: number | undefined;
  readonly bind?: string | undefined;
  readonly token?: string | undefined;
  readonly verbose?: boolean;
  readonly version: string;
  /** The installed package or checkout. */
  readonly root: string;
  readonly stdout?: { write(text: string): unknown };
  readonly reached?: AppDeps['reached'];
  readonly resolve?: AppDeps['resolve'];
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
  const { env, clock, version } = options;
  const startedAt = clock.now();
  const early: { log: typeof silentLog } = { log: silentLog };
  const overrides: Partial<GatewayConfig> = present({
    port: options.port === undefined && env.gatewayPort === undefined ? undefined : (options.port ?? env.gatewayPort!),
    bind: options.bind !== undefined ? (options.bind as GatewayConfig['bind']) : undefined,
  });
  const features = await findFeatures();
  const config = await createConfigStore({
    schema: demandingSchema(withFeatures(features, overrides), { env, given: options.token, overrides }),
    env,
    clock,
    watch: true,
    log: forward(early),
    lint: lintConfig,
    check: configCheck(env),
    // Nobody is there to insist when the platform is silent, so that it is written then.
    vet: vetConfig(env, { unanswered: 'accept' }),
    settleMs: ({ gateway }) => gateway.reload.debounceMs,
    follows: ({ gateway }) => gateway.reload.mode !== 'off',
  });
  const guessable = guessableIn(config.snapshot());
  if (guessable) {
    await config[Symbol.asyncDispose]();
    throw guessable;
  }
  const begunWith = config.current();
  const { logging } = begunWith;
  const log = createLog({
    file: logPath(env.stateDir, logging.file, env.home) ?? ((now) => dailyLogFile(env.stateDir, now)),
    level: options.verbose ? 'debug' : logging.level,
    consoleLevel: options.verbose ? 'debug' : logging.consoleLevel,
    consoleStyle: logging.consoleStyle,
    redact: logging.redactSensitive,
    clock,
    ...present({ stdout: options.stdout }),
  });
  early.log = log;
  reportConfig(log, config.snapshot());
  const stopRequest = Promise.withResolvers<StopRequest>();
  const restart = (reason: string, fresh = false): void =>
    stopRequest.resolve(present({ restart: true, reason, fresh: fresh || undefined }));

  const requestRestart = createRestarter({
    stateDir: env.stateDir,
    clock,
    log,
    restart,
    ...present({ authorise: options.authoriseSignal }),
  });
  const listening: { port?: number } = {};
  const app = await createApp({
    startedAt,
    features,
    ownPort: () => listening.port,
    env: withVars(env, configVars(config.current().env)),
    config,
    log,
    clock,
    version,
    requestRestart,
    root: options.root,
    docsPath: join(options.root, 'docs'),
    ...present({ reached: options.reached, resolve: options.resolve }),
  });
  const eventLoop = watchEventLoop();
  const state: { phase: 'starting' | 'ready' | 'draining' } = { phase: 'starting' };
  const base = createServices({
    app,
    env,
    config,
    log,
    clock,
    version,
    startedAt,
    eventLoop,
    phase: () => state.phase,
    logFile: () => log.file() ?? dailyLogFile(env.stateDir, clock.now()),
    requestRestart,
  });
  const services = { ...base, gatewayConfig: (): GatewayConfig => ({ ...config.current().gateway, ...overrides }) };
  const gateway = services.gatewayConfig();
  const secret = await gatewaySecret({ env, config: gateway, given: options.token, log });
  demandLongSecret({ config: gateway, secret, log });
  const { devices } = app.features;
  const auth = createGatewayAuth({
    mode: gateway.auth.mode === 'password' ? 'password' : 'token',
    token: secret.token,
    password: secret.password,
    trustedProxies: gateway.trustedProxies,
    devices,
  });
  const failedLogins = createFailedLogins(clock); // guesses over HTTP and WebSocket count together
  const ws = createGatewayWs({ services, auth, devices, clock, failedLogins, hostName: machineName() });
  const server = createGatewayServer({
    services,
    auth,
    clock,
    failedLogins,
    uiDir: join(options.root, 'dist', 'ui'),
    secretConfigured: secret.token !== undefined || secret.password !== undefined,
    ws: { handleUpgrade: ws.handleUpgrade, close: () => ws.closeAll(1012, 'service restart') },
  });

  const { port, urls } = await server.listen();
  listening.port = port;
  await options.lock?.setPort(port);
  await app.start();
  state.phase = 'ready';
  log.info('gateway.ready', { port, ms: clock.now() - startedAt });
  const needsRestart = restartRules(features);
  const follow = (changed: readonly string[]): void => {
    const why = changed.filter(needsRestart);
    const { mode } = config.current().gateway.reload;
    log.info('config.reloaded', { changed, restart: why });
    if (why.length === 0 && mode !== 'restart') return;
    if (mode === 'off' || mode === 'hot')
      log.warn('config.restart-needed', { changed: why, advice: 'restart the gateway to apply' });
    else
      services.requestRestart({ reason: `configuration: ${(why.length > 0 ? why : changed).join(', ')}`, delayMs: 0 });
  };
  const unsubscribe = config.subscribe((_next, _previous, changed) => follow(changed));
  const meanwhile = changedPaths(begunWith, config.current()); // edited while we started
  if (meanwhile.length > 0) follow(meanwhile);
  const notes = await takeRestartNotes(env.stateDir, { now: clock.now(), log }).catch((error: unknown) => {
    log.error('gateway.restart.note', { error });
    return [];
  });
  await notifyRestarted(notes, {
    log,
    postNotice: app.flow.postNotice,
    wake: (request) => services.wake(request),
  });

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
      unsubscribe();
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

/** Lets the configuration log before the log, which it configures, exists. */
function forward(target: { log: typeof silentLog }): typeof silentLog {
  return {
    debug: (event, fields) => target.log.debug(event, fields),
    info: (event, fields) => target.log.info(event, fields),
    warn: (event, fields) => target.log.warn(event, fields),
    error: (event, fields) => target.log.error(event, fields),
    child: (fields) => target.log.child(fields),
  };
}
