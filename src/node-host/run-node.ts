/** The headless node host: connects to a gateway as a node, serves its commands, and reconnects. */
import { join } from 'node:path';
import { backoff, jittered } from '../core/backoff.ts';
import { AppError, asAppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { readNodeHostFile, nodeStatusPath, type NodeHostSettings } from '../config/node-host-file.ts';
import { connectGateway, loadDeviceIdentity, type GatewayConnection } from '../gateway/client.ts';
import { systemClock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import { readTextIfExists, removeIfExists, writeFileAtomic } from '../platform/files.ts';
import { PUBLIC_COMMAND } from '../platform/own-command.ts';
import { machineName } from '../platform/machine-name.ts';
import type { EventFrame } from '../protocol/frames.ts';
import type { InvokeRequest } from '../protocol/node-invoke.ts';
import { hostStats } from './host-stats.ts';
import { probe, type Abilities } from './probe.ts';
import type { OfferMore } from './offer.ts';
import { createInvokeServer, type InvokeServer } from './serve-invokes.ts';

/** The options from the command line. */
export interface RunNodeOptions {
  readonly env: Env;
  /** Of this program. */
  readonly version: string;
  readonly url: string;
  readonly token?: string | undefined;
  readonly password?: string | undefined;
  /** Ends the host. */
  readonly signal: AbortSignal;
  out(line: string): void;
  /** What features offer besides. */
  readonly more?: readonly OfferMore[] | undefined;
}

const RETRY = { first: 500, max: 30_000 };
const STATS_MS = 60_000;

/** Resolves with the exit code: 0 when it was ended, 1 when it can never get in as things stand. */
export async function runNode(options: RunNodeOptions): Promise<number> {
  const { env, url, out } = options;
  const settings = await readNodeHostFile(env.stateDir);
  const identity = await loadDeviceIdentity(join(env.stateDir, 'node', 'device.pem'));
  const abilities = await probe({ env, settings, url, platform: process.platform }, options.more);
  for (const [command, why] of Object.entries(abilities.unavailable)) out(`not offered: ${command}: ${why}`);
  const server = createInvokeServer({ commands: abilities.commands, note: out });
  const host: Host = { ...options, settings, identity, abilities, server };
  try {
    return await stayConnected(host);
  } finally {
    await server.stop();
    await abilities.close();
    await removeIfExists(nodeStatusPath(env.stateDir));
  }
}

interface Host extends RunNodeOptions {
  readonly settings: NodeHostSettings;
  readonly identity: Awaited<ReturnType<typeof loadDeviceIdentity>>;
  readonly abilities: Abilities;
  readonly server: InvokeServer;
}

async function stayConnected(host: Host): Promise<number> {
  const { out, signal } = host;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const link = await connect(host);
      failures = 0;
      const { code, reason } = await serveUntilClosed(link, host);
      if (signal.aborted) break;
      out(`disconnected (${code}${reason ? `: ${reason}` : ''}); connecting again`);
    } catch (error) {
      if (signal.aborted) break;
      const problem = asAppError(error);
      const advice = whatNow(problem);
      out(advice.line);
      await note(host, { connected: false, problem: advice.line });
      if (advice.isFinal) return 1;
    }
    await systemClock.sleep(jittered(backoff(RETRY, failures), [0.5, 1], Math.random()), signal).catch(() => undefined);
  }
  return 0;
}

const tokenPath = ({ stateDir }: Env): string => join(stateDir, 'node', 'token');

/** With its own token once it has one; where that is dead, with the secret it was given. */
async function connect(host: Host): Promise<GatewayConnection> {
  const { env, version, url, token, password, settings, identity, abilities } = host;
  const deviceToken = (await readTextIfExists(tokenPath(env)))?.trim() || undefined;
  const attempt = (auth: {
    token?: string | undefined;
    password?: string | undefined;
    deviceToken?: string | undefined;
  }) =>
    connectGateway(
      present({
        ...auth,
        url,
        identity,
        role: 'node' as const,
        scopes: [],
        caps: abilities.caps,
        offers: {
          commands: Object.keys(abilities.commands),
          permissions: abilities.permissions,
          pathEnv: env.vars['PATH'],
        },
        client: { id: 'node-host', mode: 'node' as const, version, displayName: settings.name ?? machineName() },
      }),
    );
  if (deviceToken === undefined) return attempt({ token, password });
  try {
    return await attempt({ deviceToken });
  } catch (error) {
    if (!(error instanceof AppError) || error.details?.['code'] !== 'AUTH_DEVICE_TOKEN_MISMATCH') throw error;
    await removeIfExists(tokenPath(env));
    if (token === undefined && password === undefined) throw error;
    return attempt({ token, password });
  }
}

async function serveUntilClosed(
  link: GatewayConnection,
  host: Host,
): Promise<{ readonly code: number; readonly reason: string }> {
  const { env, out, abilities, signal, identity } = host;
  const close = (): void => void link.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  using ends = new DisposableStack();
  ends.defer(() => signal.removeEventListener('abort', close));
  const alive = watchTicks(link, ends);
  link.subscribe((event) => {
    alive();
    onEvent(event, link, host);
  });
  const { deviceToken } = link.hello.auth;
  if (deviceToken) await writeFileAtomic(tokenPath(env), deviceToken, { mode: 0o600 });
  out(`connected to ${host.url} as ${identity.deviceId.slice(0, 12)}: ${Object.keys(abilities.commands).join(', ')}`);
  await note(host, { connected: true });
  const report = async (): Promise<void> => {
    const payloadJSON = JSON.stringify(await hostStats());
    await link.call('node.event', { event: 'node.host.stats', payloadJSON }).catch(lost);
  };
  await link.call('node.event', { event: 'node.report', payload: { unavailable: abilities.unavailable } }).catch(lost);
  await report();
  ends.use(systemClock.setInterval(() => void report(), STATS_MS).unref());
  // Waited for here: until then it is followed.
  return await link.closed;
}

/** The connection ended before it was answered: `closed` says so. */
function lost(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

/** A gateway that says nothing for two ticks is gone, whatever the network thinks. Returns what to call for a sign. */
function watchTicks(link: GatewayConnection, ends: DisposableStack): () => void {
  const silence = link.hello.policy.tickIntervalMs * 2.5;
  let last = systemClock.monotonic();
  const check = (): void => {
    if (systemClock.monotonic() - last > silence) void link.close();
  };
  ends.use(systemClock.setInterval(check, link.hello.policy.tickIntervalMs).unref());
  return () => {
    last = systemClock.monotonic();
  };
}

function onEvent({ event, payload }: EventFrame, link: GatewayConnection, { server, out }: Host): void {
  if (event === 'node.invoke.request') void server.serve(payload as InvokeRequest, link);
  if (event === 'node.invoke.cancel') server.cancel((payload as { readonly id: string }).id);
  if (event === 'node.pair.resolved')
    out(`the gateway ${(payload as { readonly decision: string }).decision} the commands of this node`);
}

/** One line for the person, and whether trying again is any use. */
function whatNow({ code, message, details }: AppError): { readonly line: string; readonly isFinal: boolean } {
  const detail = details?.['code'];
  if (detail === 'PAIRING_REQUIRED')
    return {
      line: `waiting for approval: run \`${PUBLIC_COMMAND} devices approve ${String(details?.['requestId'])}\` on the gateway`,
      isFinal: false,
    };
  const isFinal = code === 'auth' || code === 'denied';
  return { line: isFinal ? `the gateway does not let this node in: ${message}` : message, isFinal };
}

/** For `node status`. */
async function note({ env, url, abilities, identity }: Host, state: object): Promise<void> {
  await writeFileAtomic(
    nodeStatusPath(env.stateDir),
    `${JSON.stringify(
      {
        pid: process.pid,
        url,
        nodeId: identity.deviceId,
        ...state,
        commands: Object.keys(abilities.commands),
        unavailable: abilities.unavailable,
        at: systemClock.now(),
      },
      null,
      2,
    )}\n`,
  );
}
