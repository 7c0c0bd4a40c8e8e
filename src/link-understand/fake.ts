/** A web server on 127.0.0.1 for the command's tests, and the command, in this process or as its own. */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DocumentReader } from '../documents/document-reader.ts';
import { readEnv } from '../platform/env.ts';
import { built } from '../testing/built.ts';
import { compileCache } from '../testing/compile-cache.ts';
import { linkUnderstand } from './link-understand.ts';

export interface FakeSite extends AsyncDisposable {
  readonly origin: string;
  readonly requests: IncomingMessage[];
}

/** `pages` by path. */
export async function fakeSite(pages: Readonly<Record<string, RequestListener>>): Promise<FakeSite> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const page =
      pages[request.url!.split('?')[0]!] ?? ((_request, answer) => void answer.writeHead(404).end('no such page'));
    page(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export const page =
  (body: string | Uint8Array, type = 'text/html; charset=utf-8'): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body);

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What the tests' own web server needs; nothing of the test's environment but PATH gets through. */
const surroundings = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  PATH: readEnv().get('PATH') ?? '',
  CLAWDBOT_FETCH_RULES: '{"allowRanges":["127.0.0.0/8"]}',
  ...env,
});

/** The command in this process, through its entry point. Loopback is open unless `env` says otherwise. */
export async function runLinkUnderstand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  reader?: DocumentReader,
): Promise<Ran> {
  let out = '';
  let err = '';
  const code = await linkUnderstand(args, {
    env: readEnv(surroundings(env)),
    reader,
    version: () => '0.0.0-test',
    out: (text) => {
      out += `${text}\n`;
    },
    err: (line) => {
      err += `${line}\n`;
    },
  });
  return { code, out, err };
}

/** The command as a process of its own. */
export function spawnLinkUnderstand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  entry = built('src/link-understand/main.ts'),
): Promise<Ran> {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...compileCache, ...surroundings(env) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((ended, failed) => {
    child.on('error', failed);
    child.on('close', (code) => ended({ code, out, err }));
  });
}
