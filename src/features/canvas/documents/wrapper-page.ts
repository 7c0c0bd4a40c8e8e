/** HTML pages around other content: a picture, video, audio, PDF, web address or text. Pure. */

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const STYLE =
  'html,body{margin:0;height:100%;background:#fff;color:#111;font:15px/1.5 system-ui,sans-serif}' +
  'img,video{display:block;max-width:100%;max-height:100vh;margin:auto}audio{width:100%;margin:1rem 0}' +
  'iframe{border:0;width:100%;height:100vh}p{padding:.5rem 1rem;margin:0}' +
  'pre{margin:0;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere}' +
  '@media(prefers-color-scheme:dark){html,body{background:#16181d;color:#e8e8ea}a{color:#9cf}}';

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>\n`;

/** `name`: of the file beside the page. Undefined: it is a page, and shown as it is. */
export function wrapFile(name: string, mime: string, title: string): string | undefined {
  const [source, label] = [encodeURIComponent(name), escapeHtml(title)];
  if (mime === 'text/html') return undefined;
  if (mime.startsWith('image/')) return page(title, `<img src="${source}" alt="${label}">`);
  if (mime.startsWith('video/')) return page(title, `<video src="${source}" controls></video>`);
  if (mime.startsWith('audio/')) return page(title, `<audio src="${source}" controls></audio>`);
  // A sandboxed page may not run the reader of a browser: people open or save it instead.
  return page(title, `<p><a href="${source}" download="${escapeHtml(name)}">${label}</a></p>`);
}

/** Text is shown as text, whatever stands in it. */
export const wrapText = (text: string, title: string): string => page(title, `<pre>${escapeHtml(text)}</pre>`);

/** Another page inside this one, and the way to it where it lets nobody frame it. */
export const wrapAddress = (url: string, title: string): string =>
  page(
    title,
    `<p><a href="${escapeHtml(url)}" rel="noreferrer noopener" target="_blank">${escapeHtml(title)}</a></p>` +
      `<iframe src="${escapeHtml(url)}" title="${escapeHtml(title)}" referrerpolicy="no-referrer"></iframe>`,
  );
