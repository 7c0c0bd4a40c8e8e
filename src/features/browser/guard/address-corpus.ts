/** Techniques by which a page tries to reach an address: each runs in the page and settles when it worked or failed. */

/** One technique. `code`: the body of an async function of `url`, `host` (with port) and `pages`, the page's origin. */
export interface Vector {
  readonly name: string;
  readonly code: string;
}

/** Inserts an element and removes it again; done when it loaded, failed, or a timeout passed. */
const element = (tag: string, attribute: string, more = ''): string => `
  const one = document.createElement(${JSON.stringify(tag)});
  const done = settled((end) => { one.onload = one.onerror = one.oncanplay = one.onstalled = end; });
  ${more}
  one.setAttribute(${JSON.stringify(attribute)}, url);
  document.body.append(one);
  await done;`;

const frame = (html: string): string => `
  const one = document.createElement('iframe');
  const done = settled((end) => { one.onload = () => setTimeout(end, 800); });
  one.srcdoc = ${html};
  document.body.append(one);
  await done;`;

const link = (rel: string, more = ''): string => `
  const one = document.createElement('link');
  const done = settled((end) => { one.onload = one.onerror = end; });
  one.rel = ${JSON.stringify(rel)};
  ${more}
  one.href = url;
  document.head.append(one);
  await done;
  one.remove();`;

const style = (css: string): string => `
  const one = document.createElement('style');
  one.textContent = ${css};
  const mark = document.createElement('p');
  mark.className = 'corpus';
  mark.textContent = 'x';
  document.head.append(one);
  document.body.append(mark);
  await settled(() => 0);
  one.remove();
  mark.remove();`;

const WORKER_FETCH =
  'const code = \'fetch("\' + url + \'", { mode: "no-cors" }).catch(() => 0).then(() => postMessage(1))\';';

/** Techniques that are tried for every address. */
export const VECTORS: readonly Vector[] = [
  { name: 'fetch', code: `await fetch(url, { mode: 'no-cors' });` },
  {
    name: 'fetch keepalive post',
    code: `await fetch(url, { mode: 'no-cors', method: 'POST', body: 'x', keepalive: true });`,
  },
  {
    name: 'XMLHttpRequest',
    code: `const one = new XMLHttpRequest(); const done = settled((end) => { one.onloadend = end; });
      one.open('GET', url); one.send(); await done;`,
  },
  {
    name: 'synchronous XMLHttpRequest',
    code: `const one = new XMLHttpRequest(); one.open('GET', url, false); one.send();`,
  },
  { name: 'sendBeacon', code: `navigator.sendBeacon(url, 'x'); await settled(() => 0);` },
  { name: 'img', code: element('img', 'src') },
  { name: 'img srcset', code: element('img', 'srcset') },
  { name: 'script', code: element('script', 'src') },
  { name: 'module script', code: element('script', 'src', `one.type = 'module';`) },
  { name: 'dynamic import', code: `await import(url);` },
  { name: 'iframe', code: element('iframe', 'src') },
  { name: 'object', code: element('object', 'data') },
  { name: 'embed', code: element('embed', 'src') },
  { name: 'video', code: element('video', 'src') },
  { name: 'video poster', code: element('video', 'poster') },
  { name: 'audio', code: element('audio', 'src') },
  {
    name: 'track',
    code: `${element('video', 'src')}`.replace(
      'one.setAttribute',
      `one.innerHTML = '<track default kind=captions src=' + url + '>'; one.setAttribute`,
    ),
  },
  { name: 'input image', code: element('input', 'src', `one.type = 'image';`) },
  { name: 'stylesheet', code: link('stylesheet') },
  { name: 'icon', code: link('icon') },
  { name: 'manifest', code: link('manifest') },
  { name: 'preload', code: link('preload', `one.as = 'image';`) },
  { name: 'modulepreload', code: link('modulepreload') },
  { name: 'prefetch', code: link('prefetch') },
  { name: 'preconnect', code: link('preconnect') },
  { name: 'dns-prefetch', code: link('dns-prefetch') },
  {
    name: 'speculation rules',
    code: `const one = document.createElement('script'); one.type = 'speculationrules';
      one.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [url], eagerness: 'immediate' }],
        prerender: [{ source: 'list', urls: [url], eagerness: 'immediate' }] });
      document.head.append(one); await settled(() => 0); one.remove();`,
  },
  { name: 'css background', code: style(`'.corpus { background: url("' + url + '") }'`) },
  { name: 'css import', code: style(`'@import "' + url + '";'`) },
  {
    name: 'css font',
    code: style(`'@font-face { font-family: corpus; src: url("' + url + '") } .corpus { font-family: corpus }'`),
  },
  { name: 'css cursor', code: style(`'.corpus { cursor: url("' + url + '"), auto; content: url("' + url + '") }'`) },
  {
    name: 'svg image',
    code: `const one = document.createElement('div'); one.innerHTML = '<svg><image href="' + url + '"/></svg>';
      document.body.append(one); await settled(() => 0); one.remove();`,
  },
  {
    name: 'form get',
    code: frame(`'<form action="' + url + '"><input name=a></form><script>document.forms[0].submit()<' + '/script>'`),
  },
  {
    name: 'form post',
    code: frame(`'<form method=post action="' + url + '"></form><script>document.forms[0].submit()<' + '/script>'`),
  },
  { name: 'meta refresh', code: frame(`'<meta http-equiv=refresh content="0;url=' + url + '">'`) },
  { name: 'location', code: frame(`'<script>location = "' + url + '"<' + '/script>'`) },
  { name: 'base href', code: frame(`'<base href="' + url + '/"><img src=relative>'`) },
  { name: 'srcdoc fetch', code: frame(`'<script>fetch("' + url + '", { mode: "no-cors" })<' + '/script>'`) },
  {
    name: 'sandboxed data: frame',
    code: `const one = document.createElement('iframe'); one.sandbox = 'allow-scripts';
      const done = settled((end) => { one.onload = () => setTimeout(end, 800); });
      one.src = 'data:text/html,' + encodeURIComponent('<img src="' + url + '">');
      document.body.append(one); await done; one.remove();`,
  },
  {
    name: 'blob: frame',
    code: element('iframe', 'src')
      .replace(`'src', url`, `'src', url`)
      .replace(
        `"src", url`,
        `"src", URL.createObjectURL(new Blob(['<img src="' + url + '">'], { type: 'text/html' }))`,
      ),
  },
  {
    name: 'window.open',
    code: `const one = window.open(url, '_blank', 'noopener'); await settled(() => 0); one?.close();`,
  },
  {
    name: 'link ping',
    code: `const one = document.createElement('a'); one.href = '#x'; one.ping = url;
      document.body.append(one); one.click();
      await settled(() => 0); one.remove();`,
  },
  {
    name: 'EventSource',
    code: `const one = new EventSource(url); await settled((end) => { one.onerror = one.onopen = end; }); one.close();`,
  },
  {
    name: 'WebSocket',
    code: `const one = new WebSocket('ws' + url.slice(4));
      await settled((end) => { one.onerror = one.onclose = end; });`,
  },
  {
    name: 'WebSocket in a worker',
    code: `const code = 'new WebSocket("ws' + url.slice(4) + '").onclose = () => postMessage(1)';
      const one = new Worker(URL.createObjectURL(new Blob([code])));
      await settled((end) => { one.onmessage = one.onerror = end; }); one.terminate();`,
  },
  {
    name: 'worker',
    code: `${WORKER_FETCH} const one = new Worker(URL.createObjectURL(new Blob([code])));
      await settled((end) => { one.onmessage = one.onerror = end; }); one.terminate();`,
  },
  {
    name: 'importScripts',
    code: `const script = new Blob(['try { importScripts("' + url + '") } finally { postMessage(1) }']);
      const one = new Worker(URL.createObjectURL(script));
      await settled((end) => { one.onmessage = one.onerror = end; }); one.terminate();`,
  },
  {
    name: 'shared worker',
    code: `const code = 'fetch("' + url + '", { mode: "no-cors" }).catch(() => 0).then(() => close())';
      new SharedWorker(URL.createObjectURL(new Blob([code]))); await settled(() => 0);`,
  },
  {
    name: 'WebRTC STUN over UDP',
    code: `const one = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + host }] });
      await gathered(one); one.close();`,
  },
  {
    name: 'WebRTC TURN over TCP',
    code: `const one = new RTCPeerConnection({ iceServers: [
        { urls: ['turn:' + host + '?transport=tcp', 'turns:' + host], username: 'u', credential: 'p' }] });
      await gathered(one); one.close();`,
  },
  {
    name: 'WebRTC peer',
    code: `const one = new RTCPeerConnection(); one.createDataChannel('x'); await one.setLocalDescription();
      const [name, port] = [host.replace(/:\\d+$/, ''), host.match(/\\d+$/)[0]];
      const fingerprint = 'sha-256 ' + Array(32).fill('AA').join(':');
      await one.setRemoteDescription({ type: 'answer', sdp: one.localDescription.sdp
        .replace(/a=candidate.*\\r\\n/g, '').replace(/a=fingerprint:.*/, 'a=fingerprint:' + fingerprint)
        .replace('a=setup:actpass', 'a=setup:passive') });
      for (const type of ['udp 2122260223 ' + name + ' ' + port + ' typ host',
        'tcp 1518280447 ' + name + ' ' + port + ' typ host tcptype passive'])
        await one.addIceCandidate({ candidate: 'candidate:1 1 ' + type, sdpMid: '0' }).catch(() => 0);
      await settled(() => 0); one.close();`,
  },
  {
    name: 'redirect 301',
    code: `await fetch(pages + '/redirect?status=301&to=' + encodeURIComponent(url), { mode: 'no-cors' });`,
  },
  {
    name: 'redirect 302 of an image',
    code: element('img', 'src').replace(', url)', `, pages + '/redirect?status=302&to=' + encodeURIComponent(url))`),
  },
  {
    name: 'redirect 303 of a script',
    code: element('script', 'src').replace(', url)', `, pages + '/redirect?status=303&to=' + encodeURIComponent(url))`),
  },
  {
    name: 'redirect 307 of a post',
    code: `await fetch(pages + '/redirect?status=307&to=' + encodeURIComponent(url),
      { mode: 'no-cors', method: 'POST', body: 'x' });`,
  },
  {
    name: 'redirect 308 of a frame',
    code: element('iframe', 'src').replace(', url)', `, pages + '/redirect?status=308&to=' + encodeURIComponent(url))`),
  },
  {
    name: 'two redirects',
    code: `const twice = pages + '/redirect?status=302&to=';
      await fetch(twice + encodeURIComponent(twice + encodeURIComponent(url)), { mode: 'no-cors' });`,
  },
  {
    name: 'Refresh header',
    code: element('iframe', 'src').replace(', url)', `, pages + '/refresh?to=' + encodeURIComponent(url))`),
  },
  {
    name: 'Link header',
    code: `await fetch(pages + '/link-header?to=' + encodeURIComponent(url)); await settled(() => 0);`,
  },
  {
    name: 'CSP report',
    code: element('iframe', 'src').replace(', url)', `, pages + '/report?to=' + encodeURIComponent(url))`),
  },
];

/** Spellings of this machine's own addresses, `%` for the port: tried by fetch, by an image and by a frame each. */
export const SPELLINGS: readonly string[] = [
  '127.0.0.1:%',
  '127.0.0.2:%',
  '127.1:%',
  '127.0.1:%',
  '2130706433:%',
  '0x7f000001:%',
  '0x7f.0.0.1:%',
  '017700000001:%',
  '0177.0.0.1:%',
  '127.0.0.1.:%',
  '0.0.0.0:%',
  '0:%',
  'localhost:%',
  'LOCALHOST:%',
  'localhost.:%',
  'sub.localhost:%',
  '[::1]:%',
  '[0:0:0:0:0:0:0:1]:%',
  '[::ffff:127.0.0.1]:%',
  '[::ffff:7f00:1]:%',
  '[::127.0.0.1]:%',
  '[64:ff9b::127.0.0.1]:%',
  '[::]:%',
  'user:pass@127.0.0.1:%',
  'pages.example@127.0.0.1:%',
  '１２７.０.０.１:%',
  '127。0。0。1:%',
  'ⓛocalhost:%',
  'loopback.example:%',
  'mapped.example:%',
  'mixed.example:%',
  'changing.example:%',
];

/** Code shared by all of them. */
export const HELPERS = `
  const settled = (begin) => new Promise((resolve) => { begin(resolve); setTimeout(resolve, 1500); });
  const gathered = async (one) => {
    one.createDataChannel('x');
    const done = settled((end) => {
      one.onicegatheringstatechange = () => one.iceGatheringState === 'complete' && end();
    });
    await one.setLocalDescription();
    await done;
  };`;
