/** A login service on 127.0.0.1 that exchanges refresh tokens, and tells a mail server whom an access token is of. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAtMost } from '../../sdk/index.ts';

export interface FakeTokenService extends AsyncDisposable {
  readonly url: string;
  /** Access tokens that are valid. */
  readonly tokens: Set<string>;
  /** Forms of the exchanges, in order. */
  readonly exchanges: URLSearchParams[];
  /** What the next exchanges are answered with, instead of a token. */
  readonly answers: { readonly status: number; readonly body: string }[];
  /** Refresh tokens it takes; each exchange adds one where `rotates`. */
  readonly refreshTokens: Set<string>;
  rotates: boolean;
  /** Seconds. */
  lifetime: unknown;
}

/** `user`: whose mailbox the tokens open. */
export async function startFakeTokenService(user: string): Promise<FakeTokenService> {
  const state: Omit<FakeTokenService, 'url' | keyof AsyncDisposable> = {
    tokens: new Set<string>(),
    exchanges: [],
    answers: [],
    refreshTokens: new Set(['refresh-0']),
    rotates: false,
    lifetime: 3600,
  };
  const exchange = (form: URLSearchParams): { readonly status: number; readonly body: string } => {
    const nth = state.exchanges.push(form);
    const canned = state.answers.shift();
    if (canned) return canned;
    if (!state.refreshTokens.has(form.get('refresh_token') ?? ''))
      return { status: 400, body: '{"error":"invalid_grant","error_description":"AADSTS70008: ended"}' };
    const token = `access-${nth}`;
    state.tokens.add(token);
    const next = state.rotates ? { refresh_token: `refresh-${nth}` } : {};
    if (state.rotates) state.refreshTokens.add(`refresh-${nth}`);
    return { status: 200, body: JSON.stringify({ access_token: token, expires_in: state.lifetime, ...next }) };
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const { bytes } = await readAtMost(request, 64 * 1024);
    const active = state.tokens.has(searchParams.get('token') ?? '');
    const { status, body } =
      pathname === '/introspect'
        ? { status: 200, body: JSON.stringify(active ? { active, email: user } : { active }) }
        : exchange(new URLSearchParams(bytes.toString()));
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
