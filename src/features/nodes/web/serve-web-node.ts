/** Serves the page that makes a browser a node: the page, its scripts, and the files for installation. */
import { AppError } from '../../../core/errors.ts';
import { PRODUCT_LABEL } from '../../../core/product.ts';
import { sendText } from '../../../host/http/reply.ts';
import type { Handler, HttpRequest } from '../../../host/http/surface.ts';
import { readBytesIfExists } from '../../../platform/files.ts';

/** The path of the page, which limits the scope of its service worker. */
export const WEB_NODE_PATH = '/node';

/** Allows only own scripts. The framed canvases have no origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self' ws: wss:",
  "frame-src 'self' https:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Allows sensors for this page, and not for framed pages. */
const SENSORS = 'camera=(self), microphone=(self), geolocation=(self), display-capture=(self), screen-wake-lock=(self)';

const BUILT: Readonly<Record<string, string>> = {
  'viewer.js': 'text/javascript; charset=utf-8',
  'worker.js': 'text/javascript; charset=utf-8',
  'viewer.css': 'text/css; charset=utf-8',
};

/** `builtFile`: the path of a file of the built page, absolute. */
export function webNodePages(builtFile: (name: string) => string): Handler {
  return async (request) => {
    const { res } = request;
    const name = request.path.slice(WEB_NODE_PATH.length + 1);
    // Relative addresses, so that a proxy may serve the gateway under another path.
    if (request.path === WEB_NODE_PATH) return sendText(res, 302, '', { location: 'node/' });
    if (Object.hasOwn(BUILT, name)) return sendBuilt(request, await readBytesIfExists(builtFile(name)), BUILT[name]!);
    if (name === 'manifest.webmanifest')
      return sendText(res, 200, JSON.stringify(MANIFEST), { 'content-type': 'application/manifest+json' });
    if (name === 'icon.svg') return sendText(res, 200, ICON, { 'content-type': 'image/svg+xml' });
    if (name !== '') throw new AppError('not_found', 'Nothing is served at this path.');
    res.setHeader('content-security-policy', POLICY);
    res.setHeader('permissions-policy', SENSORS);
    sendText(res, 200, PAGE, { 'content-type': 'text/html; charset=utf-8' });
  };
}

function sendBuilt({ res }: HttpRequest, bytes: Uint8Array | undefined, type: string): void {
  if (!bytes)
    throw new AppError('unavailable', 'The page of web nodes is not built. In a checkout run `npm run build`.');
  // A service worker needs its own policy, because it fetches the files of the page.
  res.setHeader('content-security-policy', POLICY);
  sendText(res, 200, bytes, { 'content-type': type, 'cache-control': 'no-cache' });
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="theme-color" content="#b8472a">
<title>${PRODUCT_LABEL} node</title><link rel="stylesheet" href="viewer.css">
<link rel="manifest" href="manifest.webmanifest"><link rel="icon" href="icon.svg"></head>
<body><main id="node"><noscript>This page needs JavaScript.</noscript></main>
<script src="viewer.js" defer></script></body></html>\n`;

/** Shared text is posted as a form, so that it appears in no address or log; the service worker receives it. */
const MANIFEST = {
  id: './',
  name: `${PRODUCT_LABEL} node`,
  short_name: `${PRODUCT_LABEL} node`,
  description: 'Lends the camera, microphone, location and screen of this device to your assistant, when you allow it.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#f7f6f3',
  theme_color: '#b8472a',
  icons: [{ src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  share_target: {
    action: 'share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { title: 'title', text: 'text', url: 'url' },
  },
};

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">
<rect width="512" height="512" rx="112" fill="#b8472a"/>
<g fill="none" stroke="#fff" stroke-width="30" stroke-linecap="round">
<rect x="150" y="110" width="150" height="292" rx="28"/>
<path d="M200 348h50M346 200a90 90 0 0 1 0 112M392 156a150 150 0 0 1 0 200"/></g></svg>\n`;
