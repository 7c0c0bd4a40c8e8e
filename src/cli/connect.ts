/** Finds the gateway and connects to it, or fails with a one-line reason. */
import { parseJson } from '../core/parse-json.ts';
import { join } from 'node:path';
import { readGatewayAddress, type GatewayAddress } from '../config/gateway-address.ts';
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import type { GatewayConnection } from '../gateway/client.ts';
import type { Env } from '../platform/env.ts';
import { readTextIfExists } from '../platform/files.ts';
import type { ConnectOptions } from './command.ts';
import type { GatewayLink } from './gateway-link.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

export interface Target {
  readonly url: string;
  readonly token?: string;
  readonly password?: string;
  readonly address: GatewayAddress;
}

/** `url` and `token` given by hand win over environment, configuration and the generated token. */
export async function findGateway({
  env,
  url,
  token,
}: {
  readonly env: Env;
  readonly url?: string;
  readonly token?: string;
}): Promise<Target> {
  const address = await readGatewayAddress(env);
  // Our secrets are for our gateway: an address given by hand gets only what was given with it.
  const secrets =
    url === undefined ? { token: token ?? address.token, password: address.password } : { token, password: undefined };
  return present({
    address,
    url: url ?? address.remoteUrl ?? `ws://127.0.0.1:${env.gatewayPort ?? (await runningPort(env)) ?? address.port}`,
    token: secrets.token,
    password: secrets.password,
  });
}

/**
 * The port a gateway on this state directory wrote into its lock file; it may have been started with another than the
 * configured one.
 */
async function runningPort({ stateDir }: Env): Promise<number | undefined> {
  const text = await readTextIfExists(join(stateDir, 'gateway.lock'));
  if (text === undefined) return undefined;
  const { port } = (parseJson(text) ?? {}) as { port?: unknown };
  return typeof port === 'number' ? port : undefined;
}

/** Rejects with one line that says what to do. */
export async function connect(options: ConnectOptions): Promise<GatewayLink> {
  const { url, token, password } = await findGateway(options);
  const { connectGateway } = await import('../gateway/client.ts');
  try {
    const connection = await connectGateway(
      present({ url, timeoutMs: options.timeoutMs, token, password, caps: options.caps }),
    );
    return linkOf(url, connection);
  } catch (error) {
    throw error instanceof AppError ? new AppError(error.code, adviceOn(error, url), { cause: error }) : error;
  }
}

function adviceOn({ code, message }: AppError, url: string): string {
  if (code === 'network' || code === 'timeout')
    return (
      `No gateway is running at ${url}. Start one with \`${OWN_COMMAND} gateway run\`, or select another with ` +
      '--url.'
    );
  if (code === 'auth' || code === 'denied')
    return (
      `The gateway at ${url} rejected the connection: ${message}. Set its token with --token, ` +
      'CLAWDBOT_GATEWAY_TOKEN or gateway.auth.token.'
    );
  return message;
}

function linkOf(url: string, connection: GatewayConnection): GatewayLink {
  const link = { gone: false };
  void connection.closed.then(() => (link.gone = true));
  return {
    url,
    server: connection.hello.server,
    request: <T>(method: string, params: unknown = {}, options: { readonly timeoutMs?: number } = {}) =>
      // A method that answers twice has answered once it accepted; what follows comes as events.
      new Promise<T>((resolve, reject) => {
        const failed = (error: unknown): void =>
          reject(
            link.gone
              ? new AppError(
                  'network',
                  `The gateway at ${url} closed the connection. Run \`${OWN_COMMAND} status\` to see when it is back.`,
                  { cause: error },
                )
              : error,
          );
        connection
          .call<T>(method, params, { ...options, onAccepted: (payload) => resolve(payload as T) })
          .then(resolve, failed);
      }),
    onEvent(listener) {
      const stop = connection.subscribe(({ event, payload }) => listener(event, payload));
      let listening = true;
      void connection.closed.then(() => listening && listener('disconnected', undefined));
      return () => {
        listening = false;
        stop();
      };
    },
    close: () => connection.close(),
  };
}
