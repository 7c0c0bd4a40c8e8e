/** Adds the script for actions and reloading to a page of a canvas folder. Pure. */

/** Before the last `</body>`, else at the end. */
export function injected(html: string, script: string): string {
  const tag = `<script>${script}</script>`;
  const at = html.toLowerCase().lastIndexOf('</body>');
  return at === -1 ? `${html}\n${tag}\n` : `${html.slice(0, at)}${tag}\n${html.slice(at)}`;
}

/**
 * `sendUserAction` hands an action to the app that shows the page, where there is one; false: there is none. `live`:
 * the page comes again when its files change, and looks for the gateway again after a pause when it was away.
 */
export const pageScript = ({ live }: { readonly live: boolean }): string => `(() => {
  const handler = () => {
    const webkit = globalThis.webkit?.messageHandlers;
    const name = ['clawdbot', 'moltbot', 'openclaw'].map((one) => one + 'CanvasA2UIAction');
    return name.map((one) => webkit?.[one] ?? globalThis[one]).find((one) => typeof one?.postMessage === 'function');
  };
  const sendUserAction = (action) => {
    const found = handler();
    if (!found) return false;
    const id = action?.id || globalThis.crypto?.randomUUID?.() || String(Date.now());
    found.postMessage(JSON.stringify({ userAction: { ...action, id, surfaceId: action?.surfaceId || 'main' } }));
    return true;
  };
  for (const name of ['Clawdbot', 'Moltbot', 'OpenClaw'])
    globalThis[name] = { ...globalThis[name], sendUserAction };
${live ? LIVE : ''}})();`;

const LIVE = `  let lost = false;
  let wait = 500;
  const connect = () => {
    const at = new URL(location.href);
    at.protocol = at.protocol === 'https:' ? 'wss:' : 'ws:';
    at.pathname = at.pathname.replace(/\\/canvas(?:\\/.*)?$/, '/ws');
    at.search = at.hash = '';
    const socket = new WebSocket(at);
    socket.onopen = () => {
      if (lost) location.reload();
      wait = 500;
    };
    socket.onmessage = ({ data }) => data === 'reload' && location.reload();
    socket.onclose = () => {
      lost = true;
      setTimeout(connect, wait);
      wait = Math.min(wait * 2, 15000);
    };
  };
  connect();
`;

/** The first page of a canvas folder that has none. */
export const SAMPLE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Canvas</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: grid; place-content: center; min-height: 100vh;
    background: #f6f6f4; color: #222; text-align: center; }
  @media (prefers-color-scheme: dark) { body { background: #16181d; color: #e8e8ea; } }
</style>
</head>
<body>
<main>
<h1>Canvas</h1>
<p>Files in this folder are served here. Open pages reload when a file changes.</p>
</main>
</body>
</html>
`;

/** What a folder without a first page answers. */
export const NO_PAGE = `<!doctype html><meta charset="utf-8"><title>Canvas</title>
<h1>No page yet</h1><p>Write <code>index.html</code> into the canvas folder of the agent.</p>\n`;
