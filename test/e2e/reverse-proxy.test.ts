/**
 * The settings of docs/how-to/run-from-another-machine.md with a real reverse proxy: page, WebSocket, and refused
 * clients.
 */
import assert from 'node:assert/strict';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { startGateway } from '../../src/testing/running-gateway.ts';

const NAME = 'bot.example.com';
const ORIGIN = `https://${NAME}`;
const TOKEN = 'a-token-that-is-long-enough-for-others';
const behind = (gateway: object): object => ({ gateway: { auth: { token: TOKEN }, ...gateway } });
const AS_DOCUMENTED = behind({ trustedProxies: ['127.0.0.1'], controlUi: { allowedOrigins: [ORIGIN] } });

/** As nginx does it with the lines of that page; `visitor` is the address people come from. */
async function startProxy(port: number, visitor: () => string): Promise<{ readonly port: number } & AsyncDisposable> {
  const headersOf = ({ headers }: IncomingMessage): Record<string, string | string[] | undefined> => ({
    ...headers,
    host: NAME,
    'x-forwarded-for': visitor(),
    'x-forwarded-proto': 'https',
  });
  const server = createServer((asked, answer) => {
    asked.pipe(
      request({ port, method: asked.method, path: asked.url, headers: headersOf(asked) }, (got) => {
        answer.writeHead(got.statusCode!, got.headers);
        got.pipe(answer);
      }),
    );
  });
  server.on('upgrade', (asked, socket) => {
    const inner = connect(port, '127.0.0.1', () => {
      const lines = Object.entries(headersOf(asked)).map(([name, value]) => `${name}: ${String(value)}`);
      inner.write([`GET ${asked.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      inner.pipe(socket).pipe(inner);
    });
    for (const end of [inner, socket])
      end.on('error', () => {
        inner.destroy();
        socket.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The first frame, or the status the upgrade was refused with. */
const opened = (port: number, origin: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { origin });
    socket.on('message', (data) => {
      resolve(JSON.parse(String(data)).event);
      socket.close();
    });
    socket.on('unexpected-response', (_request, { statusCode }) => {
      resolve(String(statusCode));
      socket.terminate();
    });
    socket.on('error', reject);
  });

describe('behind a reverse proxy', () => {
  it('as documented the page loads and its WebSocket opens; another page’s does not', async () => {
    await using gateway = await startGateway({ config: AS_DOCUMENTED, token: '' });
    await using proxy = await startProxy(gateway.instance.port, () => '203.0.113.7');
    const page = await fetch(`http://127.0.0.1:${proxy.port}/`);
    assert.deepEqual([page.status, /<!doctype html>/i.test(await page.text())], [200, true]);
    assert.equal(await opened(proxy.port, ORIGIN), 'connect.challenge');
    assert.match(await opened(proxy.port, 'https://evil.example'), /^4\d\d$/);
    const details = async (token: string) =>
      (await (
        await fetch(`http://127.0.0.1:${proxy.port}/readyz`, { headers: { authorization: `Bearer ${token}` } })
      ).json()) as { details?: object };
    assert.ok((await details(TOKEN)).details, 'who has the token is trusted');
    assert.equal(
      (await details('guess')).details,
      undefined,
      'coming from this machine is no proof: it is the proxy that does',
    );
  });

  it('without the settings the name is refused, and the visitor is not believed to be on this machine', async () => {
    await using gateway = await startGateway({ config: behind({}), token: '' });
    await using proxy = await startProxy(gateway.instance.port, () => '203.0.113.7');
    assert.ok((await fetch(`http://127.0.0.1:${proxy.port}/`)).status >= 400);
    assert.match(await opened(proxy.port, ORIGIN), /^4\d\d$/);
  });

  it('wrong tokens lock out the visitor, not everybody behind the proxy', async () => {
    await using gateway = await startGateway({
      config: {
        ...AS_DOCUMENTED,
        gateway: {
          ...(AS_DOCUMENTED as { gateway: object }).gateway,
          http: { endpoints: { chatCompletions: { enabled: true } } },
        },
      },
      token: '',
    });
    let visitor = '203.0.113.7';
    await using proxy = await startProxy(gateway.instance.port, () => visitor);
    const status = async (token: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${proxy.port}/v1/models`, { headers: { authorization: `Bearer ${token}` } }))
        .status;
    for (let nth = 0; nth < 12; nth++) await status('a wrong one');
    assert.equal(await status(TOKEN), 429);
    visitor = '203.0.113.8';
    assert.notEqual(await status(TOKEN), 429);
  });
});
