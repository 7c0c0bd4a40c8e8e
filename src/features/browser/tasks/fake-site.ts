/** Serves the pages of the tasks on 127.0.0.1: those of `fake-pages.txt`, a shop, and a generated long page. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createShop, type Order, type Shop } from './fake-shop.ts';

export interface TaskSite extends AsyncDisposable {
  readonly url: string;
  readonly orders: readonly Order[];
}

export async function serveTasks(): Promise<TaskSite> {
  const shop = createShop(document);
  const pages = readPages();
  const server = createServer((request, response) => void answer(request, response, { shop, pages }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders: shop.orders,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { shop, pages }: { readonly shop: Shop; readonly pages: ReadonlyMap<string, string> },
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  if (pathname === '/shop' || pathname.startsWith('/shop/')) {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += String(piece);
    const { visit, cookie } = shop.visitOf(request);
    const served = shop.serve(pathname, new URLSearchParams(body), visit);
    if (cookie) response.setHeader('set-cookie', cookie);
    if (served.to) return void response.writeHead(303, { location: served.to }).end();
    return void response.writeHead(200, HTML).end(served.body);
  }
  if (pathname === '/report.csv') {
    response.writeHead(200, { 'content-disposition': 'attachment; filename="november.csv"' });
    return void response.end('day,sold\n1,7\n');
  }
  if (pathname === '/never') {
    response.writeHead(200, HTML);
    return void response.write('<title>News</title><h1>The dam holds</h1>');
  }
  const page = pages.get(pathname);
  response.writeHead(page ? 200 : 404, HTML).end(page ?? document('Not here', ''));
}

const document = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>` +
  `<body><h1>${title}</h1>${body}</body></html>`;

const ANIMALS = ['Ant', 'Bear', 'Cat', 'Deer', 'Yak', 'Zebra'];

function readPages(): ReadonlyMap<string, string> {
  const text = readFileSync(join(import.meta.dirname, 'fake-pages.txt'), 'utf8');
  const written = text.split(/^=== /m).flatMap((part) => {
    const [, path, title, body] = /^(\S+) ([^\n]+)\n([^]*)$/.exec(part) ?? [];
    return path === undefined ? [] : [[path, document(title!, body!)] as const];
  });
  const animals = ANIMALS.map((name, at) => {
    const next = at < ANIMALS.length - 1 ? `<a href="/animals/${at + 2}">Next page</a>` : '';
    return [`/animals/${at + 1}`, document('Animals', `<a href="/animal?${name}">${name}</a> ${next}`)] as const;
  });
  return new Map([...written, ...animals, ['/huge', document('Huge', huge())] as const]);
}

/** 20 000 nodes, one of them a button. */
function huge(): string {
  const lines = Array.from({ length: 10_000 }, (_, at) => `<p>Line <b>${at}</b></p>`);
  const end = `<button onclick="document.getElementById('done').textContent='found the end'">The end</button>`;
  return `<output id="done"></output>${lines.join('')}${end}`;
}
