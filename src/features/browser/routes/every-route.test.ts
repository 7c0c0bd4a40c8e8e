/** Every route of the control service and every command line of it, each once, in one browser. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fakeTerminal } from '../../../cli/fake.ts';
import { runCli } from '../../../cli/cli.ts';
import { ROUTES } from '../browser-service.ts';
import { commands } from '../cli.ts';
import { openHarness, skipWithoutChromium, type Harness } from '../harness.ts';

interface Stage {
  readonly h: Harness;
  /** The id of the tab that was opened last. */
  readonly targetId: string;
  /** The ref of the element with this name. */
  ref(name: string): Promise<string>;
}

interface Row {
  /** As in the table of routes. */
  readonly route: string;
  /** The variable part of the path. */
  path?(stage: Stage): string;
  given?(stage: Stage): object | Promise<object>;
  readonly files?: boolean;
  /** The page that the call uses. */
  readonly page?: string;
  /** The condition the test waits for. */
  meanwhile?(stage: Stage): Promise<unknown>;
  /** A field of the answer, and its expected value. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const some = (value: unknown): boolean => value !== undefined && value !== null;
const isFile = (value: unknown): boolean => existsSync(String(value));
const named = (field: string, name: string) => (value: unknown) =>
  (value as readonly Record<string, unknown>[]).some((one) => one[field] === name);
const download = async ({ h, ref }: Stage): Promise<unknown> => h.act({ kind: 'click', ref: await ref('File') });
const done = { ok: true } as const;
const set = (what: string, given: object): Row => ({
  route: 'POST /set/:what',
  path: () => `/set/${what}`,
  given: () => given,
  answers: done,
});
const store = (given: object = {}) => ({ path: () => '/storage/local', given: () => given });

const ROWS: readonly Row[] = [
  { route: 'GET /', answers: { enabled: true, profile: 'clawd', running: false, pid: null, attachOnly: false } },
  { route: 'POST /start', answers: { ok: true, running: true, cdpReady: true, pid: some } },
  { route: 'GET /profiles', answers: { profiles: named('name', 'clawd') } },
  { route: 'POST /profiles/create', given: () => ({ name: 'spare' }), answers: { profile: 'spare', isRemote: false } },
  { route: 'DELETE /profiles/:name', path: () => '/profiles/spare', answers: { profile: 'spare', deleted: false } },
  {
    route: 'POST /tabs/open',
    given: ({ h }) => ({ url: `${h.pages.url}/` }),
    answers: { title: 'Home', type: 'page' },
  },
  { route: 'GET /tabs', answers: { running: true, tabs: named('title', 'Home') } },
  { route: 'POST /tabs/focus', given: ({ targetId }) => ({ targetId }), answers: done },
  { route: 'POST /tabs/action', given: () => ({ action: 'list' }), answers: { tabs: named('title', 'Home') } },
  { route: 'POST /navigate', given: ({ h }) => ({ url: `${h.pages.url}/form` }), answers: { status: 200 } },
  { route: 'GET /snapshot', answers: { snapshot: (text: string) => text.includes('"Order"') } },
  { route: 'POST /screenshot', answers: { path: isFile, mimeType: 'image/png' } },
  { route: 'POST /pdf', answers: { path: isFile } },
  { route: 'POST /act', given: async ({ ref }) => ({ kind: 'click', ref: await ref('Order') }), answers: done },
  { route: 'POST /highlight', given: async ({ ref }) => ({ ref: await ref('Order') }), answers: done },
  { route: 'POST /hooks/dialog', given: () => ({ accept: true }), answers: done },
  {
    route: 'POST /hooks/file-chooser',
    page: '/upload',
    given: () => ({ element: '#g' }),
    files: true,
    answers: { files: ['a.txt'] },
  },
  {
    route: 'POST /wait/download',
    page: '/',
    meanwhile: download,
    answers: { path: isFile, suggestedFilename: 'ev_il.bin', url: some },
  },
  {
    route: 'POST /download',
    page: '/',
    given: async ({ ref }) => ({ ref: await ref('File') }),
    answers: { path: isFile },
  },
  {
    route: 'POST /response/body',
    given: () => ({ url: '*/form' }),
    meanwhile: ({ h }) => h.act({ kind: 'evaluate', fn: "fetch('/form')" }),
    answers: { response: some },
  },
  { route: 'GET /console', page: '/console', answers: { messages: named('text', 'three') } },
  { route: 'GET /errors', answers: { errors: named('message', 'boom') } },
  { route: 'GET /requests', given: () => ({ filter: '/console' }), answers: { requests: named('method', 'GET') } },
  { route: 'POST /trace/start', answers: done },
  { route: 'POST /trace/stop', answers: { path: isFile } },
  {
    route: 'POST /cookies/set',
    given: ({ h }) => ({ cookie: { name: 'c', value: '1', url: h.pages.url } }),
    answers: done,
  },
  { route: 'GET /cookies', answers: { cookies: named('name', 'c') } },
  { route: 'POST /cookies/clear', answers: done },
  {
    route: 'POST /storage/:kind/set',
    path: () => '/storage/local/set',
    given: () => ({ key: 'k', value: 'v' }),
    answers: done,
  },
  { route: 'GET /storage/:kind', ...store({ key: 'k' }), answers: { values: { k: 'v' } } },
  { route: 'POST /storage/:kind/clear', path: () => '/storage/local/clear', answers: done },
  set('offline', { offline: false }),
  set('headers', { headers: { 'x-one': '1' } }),
  set('credentials', { username: 'joe', password: 'x' }),
  set('geolocation', { latitude: 1, longitude: 2 }),
  set('media', { colorScheme: 'dark' }),
  set('timezone', { timezoneId: 'Europe/Berlin' }),
  set('locale', { locale: 'de-DE' }),
  set('device', { name: 'iPhone 15' }),
  { route: 'DELETE /tabs/:targetId', path: ({ targetId }) => `/tabs/${targetId}`, answers: done },
  { route: 'POST /reset-profile', answers: { ok: true, profile: 'clawd', moved: false } },
  { route: 'POST /stop', answers: { ok: true, stopped: false, running: false } },
];

interface Line {
  /** `$Name`: replaced by the ref of the element with this name. */
  readonly line: string;
  readonly page?: string;
  meanwhile?(stage: Stage): Promise<unknown>;
  /** A field of the JSON. */
  readonly has?: string;
}

const LINES: readonly Line[] = [
  { line: 'status', has: 'running' },
  { line: 'start', has: 'running' },
  { line: 'profiles', has: 'profiles' },
  { line: 'create-profile spare --color #123456', has: 'profile' },
  { line: 'delete-profile spare', has: 'deleted' },
  { line: 'open $url/form', has: 'targetId' },
  { line: 'tabs', has: 'tabs' },
  { line: 'focus $tab' },
  { line: 'navigate $url/form', has: 'url' },
  { line: 'snapshot --interactive --max-chars 500', has: 'snapshot' },
  { line: 'screenshot --type jpeg', has: 'path' },
  { line: 'pdf', has: 'path' },
  { line: 'click $Order' },
  { line: 'type $Name Ann --submit' },
  { line: 'press Tab' },
  { line: 'hover $Order' },
  { line: 'scrollintoview $Order' },
  { line: 'select $Size Large' },
  { line: 'fill [{"ref":"$Mail","value":"a@b.c"}]' },
  { line: 'resize 900 700' },
  { line: 'wait --text Shop' },
  { line: 'evaluate document.title', has: 'result' },
  { line: 'batch [{"kind":"press","key":"Tab"}]' },
  { line: 'drag $Card $Place', page: '/drag' },
  { line: 'upload $file --element #g', page: '/upload', has: 'files' },
  { line: 'dialog --accept --prompt me' },
  { line: 'waitfordownload', page: '/', meanwhile: download, has: 'path' },
  { line: 'download $File', page: '/', has: 'path' },
  {
    line: 'responsebody */form',
    meanwhile: ({ h }) => h.act({ kind: 'evaluate', fn: "fetch('/form')" }),
    has: 'response',
  },
  { line: 'highlight $File' },
  { line: 'console --level error', page: '/console', has: 'messages' },
  { line: 'errors --clear', has: 'errors' },
  { line: 'requests --filter x --clear', has: 'requests' },
  { line: 'cookies set a 1 --for-url $url' },
  { line: 'cookies', has: 'cookies' },
  { line: 'cookies clear' },
  { line: 'storage set local k v' },
  { line: 'storage local k', has: 'values' },
  { line: 'storage clear local' },
  { line: 'set offline --off' },
  { line: 'set headers --headers {"x-one":"1"}' },
  { line: 'set credentials --username joe --password x' },
  { line: 'set geolocation --latitude 1 --longitude 2' },
  { line: 'set media --scheme dark' },
  { line: 'set timezone --zone Europe/Berlin' },
  { line: 'set locale --locale de-DE' },
  { line: 'set device --device Nexus_5' },
  { line: 'trace start' },
  { line: 'trace stop', has: 'path' },
  { line: 'close' },
  { line: 'reset-profile', has: 'moved' },
  { line: 'stop', has: 'stopped' },
];

describe('the control service, from end to end', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness();
  });
  after(() => h[Symbol.asyncDispose]());

  const stage = async (): Promise<Stage> => {
    const { tabs } = await h.call('GET', '/tabs');
    return { h, targetId: tabs[0]?.targetId ?? '', ref: (name) => h.ref(`"${name}"`) };
  };
  const show = async (page: string | undefined): Promise<void> => {
    if (page !== undefined) await h.call('POST', '/navigate', { url: `${h.pages.url}${page}` });
  };

  test(`every route answers as its table says: ${ROWS.length} calls`, async () => {
    const called = new Set(ROWS.map(({ route }) => route));
    assert.deepEqual([...called].sort(), ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    const files = [{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }];
    for (const row of ROWS) {
      await show(row.page);
      const here = await stage();
      const [method, pattern] = row.route.split(' ') as [string, string];
      const path = row.path?.(here) ?? pattern;
      const answering = h.call(method, path, await row.given?.(here), row.files ? { files } : {});
      await row.meanwhile?.(here);
      const answer = await answering;
      for (const [field, wanted] of Object.entries(row.answers))
        if (typeof wanted === 'function')
          assert.ok(wanted(answer[field]), `${method} ${path}: ${JSON.stringify(answer)}`);
        else assert.deepEqual(answer[field], wanted, `${method} ${path}: ${JSON.stringify(answer)}`);
    }
  });

  test(`every command line prints JSON: ${LINES.length} lines`, async () => {
    const names = commands.map(({ name }) => name).sort((a, b) => b.length - a.length);
    const used = LINES.map(({ line }) => names.find((name) => `browser ${line} `.startsWith(`${name} `)));
    assert.deepEqual(
      names.filter((name) => !used.includes(name)),
      ['browser install'],
      'it has tests of its own',
    );
    const file = join(h.folder, 'note.txt');
    await writeFile(file, 'remember');
    for (const { line, page, meanwhile, has: field = 'ok' } of LINES) {
      await show(page);
      const here = await stage();
      const words = await Promise.all(line.split(' ').map((word) => written(word, here, file)));
      const io = fakeTerminal({
        answers: {
          'browser.request': ({ method, path, query, body }: any) => {
            const { files = [], ...given } = query ?? body ?? {};
            const buffers = files.map(({ data, ...one }: any) => ({ ...one, buffer: Buffer.from(data, 'base64') }));
            return h.call(method, path, given, { files: buffers });
          },
        },
      });
      const running = runCli(['browser', ...words, '--json'], io, commands);
      await meanwhile?.(here);
      assert.equal(await running, 0, `${line}: ${io.errors.join('\n')}`);
      const answer = JSON.parse(io.lines.join('\n'));
      assert.ok(field in answer, `${line}: ${io.lines.join('\n')}`);
    }
  });
});

/** Replaces a placeholder in a command line with a value of the page or the test. */
async function written(word: string, { h, targetId, ref }: Stage, file: string): Promise<string> {
  const known: Readonly<Record<string, string>> = { url: h.pages.url, tab: targetId, file };
  const name = /\$(\w+)/.exec(word)?.[1];
  if (name === undefined) return word.replace('_', ' ');
  return word.replace(`$${name}`, known[name] ?? (await ref(name)));
}
