/** Serves the built Control UI below its base path, and its index page for every path without a file. */
import { present } from '../../core/present.ts';
import type { HttpRequest } from '../../host/http/surface.ts';
import { extname } from 'node:path';
import { PRODUCT, PRODUCT_LABEL } from '../../core/product.ts';
import { uiPolicy } from './headers.ts';
import { sendText } from '../../host/http/reply.ts';
import type { FeaturePage } from '../../host/plugin-page.ts';
import type { Router } from './router.ts';
import { createStaticFiles, type StaticFile, type StaticFiles } from './static-files.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

export interface UiOptions {
  /** The built UI; may not exist. */
  readonly dir: string;
  /** `/` or `/chat`; see `normaliseBasePath`. */
  readonly basePath: string;
  /** Name of the default agent, shown before the page has connected. */
  readonly assistantName: () => string;
  /** Sources beside its own that it may frame. */
  readonly frames?: () => readonly string[];
  /** Pages that plugins add to the navigation. */
  readonly pages?: readonly FeaturePage[];
}

const HASHED = /[-.][A-Za-z0-9_-]{8,64}\.[a-z0-9]{1,8}$/;

export function mountUi(router: Router, options: UiOptions): void {
  const files = createStaticFiles(options.dir);
  const base = options.basePath === '/' ? '' : options.basePath;
  router.under(base, { GET: (request) => serve(request, { ...options, files, base }) });
  if (base) router.at('/', { GET: ({ res }) => sendText(res, 302, '', { location: `${base}/` }) });
}

/** The files of pages that plugins bring, as they lie: `pages/<id>/…` beside the UI's own. */
export function mountPages(router: Router, pages: readonly FeaturePage[], basePath: string): void {
  for (const { id, folder } of pages) {
    const files = createStaticFiles(folder);
    const prefix = `${basePath === '/' ? '' : basePath}/pages/${id}`;
    router.under(prefix, {
      async GET(request) {
        const path = request.path.slice(prefix.length + 1);
        const file = await files.read(path, String(request.headers['accept-encoding'] ?? ''));
        if (!file) return sendText(request.res, 404, 'File not found.\n');
        request.res.setHeader('content-security-policy', uiPolicy());
        sendFile(request, file, path);
      },
    });
  }
}

/** `chat/`, `/chat`, `//chat//` → `/chat`; empty → `/`. */
export function normaliseBasePath(input: string): string {
  return `/${input
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .join('/')}`;
}

interface Serving extends UiOptions {
  readonly files: StaticFiles;
  readonly base: string;
}

async function serve(request: HttpRequest, ui: Serving): Promise<void> {
  const { res, path, headers } = request;
  if (ui.base && path === ui.base) return sendText(res, 302, '', { location: `${ui.base}/` });
  const relative = path.slice(ui.base.length + 1);
  res.setHeader('content-security-policy', uiPolicy(ui.frames?.()));
  const file =
    relative === '' || relative === 'index.html'
      ? undefined
      : await ui.files.read(relative, String(headers['accept-encoding'] ?? ''));
  if (file) return sendFile(request, file, relative);
  if (extname(relative) !== '' && relative !== 'index.html') return sendText(res, 404, 'File not found.\n');
  const index = await ui.files.read('index.html', '');
  if (!index) return sendText(res, 503, NOT_BUILT, { 'content-type': 'text/html; charset=utf-8' });
  sendText(res, 200, withSettings(index.bytes.toString('utf8'), ui), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
}

/** A name with a content hash never changes its content; everything else is asked for again, cheaply. */
function sendFile({ res, headers }: HttpRequest, file: StaticFile, path: string): void {
  const caching = {
    etag: file.etag,
    vary: 'accept-encoding',
    'cache-control':
      path.startsWith('assets/') && HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (headers['if-none-match'] === file.etag) res.writeHead(304, caching).end();
  else
    sendText(res, 200, file.bytes, {
      ...caching,
      'content-type': file.mime,
      ...present({ 'content-encoding': file.encoding }),
    });
}

/**
 * The base element makes relative asset addresses work at every depth; the policy forbids inline scripts, so settings
 * travel as meta.
 */
function withSettings(html: string, { base, assistantName, pages = [] }: Serving): string {
  const entries = pages.map(({ id, title, icon }) => ({ id, title, icon }));
  const tags = [
    `<base href="${escapeHtml(`${base}/`)}">`,
    `<meta name="${PRODUCT}-base-path" content="${escapeHtml(base || '/')}">`,
    `<meta name="${PRODUCT}-command" content="${escapeHtml(PUBLIC_COMMAND)}">`,
    `<meta name="${PRODUCT}-assistant-name" content="${escapeHtml(assistantName())}">`,
    ...(entries.length > 0 ? [`<meta name="${PRODUCT}-pages" content="${escapeHtml(JSON.stringify(entries))}">`] : []),
  ].join('');
  return html.replace(/<head[^<>]*>/i, (head) => head + tags);
}

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const NOT_BUILT = `<!doctype html><meta charset="utf-8"><title>${PRODUCT_LABEL}</title><h1>The Control UI is not built</h1>
<p>The gateway runs, but its web page was not found. In a checkout run <code>npm run build</code>, then reload this page.
You can also chat in the terminal: <code>${PUBLIC_COMMAND} chat</code>.</p>\n`;
