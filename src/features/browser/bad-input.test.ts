/** Invalid input of any kind: the error says what to do, and nothing is executed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer } from 'node:https';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { statusOf } from '../../host/http/reply.ts';
import { fails, openHarness, skipWithoutChromium, type Harness } from './harness.ts';

type Row = readonly [method: string, path: string, given: object, code: string, says: RegExp];
const act = (given: object, code: string, says: RegExp): Row => ['POST', '/act', given, code, says];
const see = (given: object, code: string, says: RegExp): Row => ['GET', '/snapshot', given, code, says];
const go = (url: string, code: string, says: RegExp): Row => ['POST', '/navigate', { url }, code, says];

const ROWS: readonly Row[] = [
  ['GET', '/tabs', { profile: 'nope' }, 'not_found', /no browser profile "nope"\. There are: clawd, far\./],
  ['POST', '/nope', {}, 'not_found', /There is no \/nope here/],
  ['DELETE', '/snapshot', {}, 'invalid', /\/snapshot takes GET/],
  ['POST', '/tabs/focus', {}, 'invalid', /targetId required/],
  ['POST', '/tabs/focus', { targetId: 'zz' }, 'not_found', /tab not found: "zz"\. `tabs` lists yours/],
  ['POST', '/tabs/action', { action: 'x' }, 'invalid', /action must be list, new, close or select/],
  ['POST', '/tabs/action', { action: 'select' }, 'invalid', /select needs index/],
  see({ targetId: 'zz' }, 'not_found', /tab not found: "zz"/),
  see({ format: 'x' }, 'invalid', /format must be ai or aria/),
  see({ mode: 'x' }, 'invalid', /mode must be efficient/),
  see({ refs: 'x' }, 'invalid', /refs must be role or aria/),
  see({ format: 'aria', labels: true }, 'invalid', /labels and mode efficient are for format ai/),
  see({ refs: 'aria', selector: 'a' }, 'invalid', /leave out selector and frame/),
  see({ selector: '(((' }, 'invalid', /The selector is not valid/),
  see({ selector: '#none' }, 'not_found', /Nothing on the page matches "#none"\. Leave it out/),
  see({ frame: '#none' }, 'not_found', /Nothing on the page matches "#none"/),
  see({ depth: 'deep' }, 'invalid', /depth must be a number/),
  see({ maxChars: {} }, 'invalid', /maxChars must be a number/),
  see({ interactive: 'perhaps' }, 'invalid', /interactive must be true or false/),
  act({}, 'invalid', /kind required: one of click, /),
  act({ kind: 'smash' }, 'invalid', /Unknown kind "smash"\. Use one of click/),
  act({ kind: 'click' }, 'invalid', /ref required/),
  act({ kind: 'click', ref: 'Order' }, 'invalid', /"Order" is no ref; refs look like e12\. Take a new snapshot/),
  act({ kind: 'click', ref: 'ax3' }, 'invalid', /comes from an aria snapshot, which only informs/),
  act({ kind: 'click', ref: 'e999' }, 'not_found', /Unknown ref "e999"\. Take a new snapshot/),
  act({ kind: 'click', ref: 'e1', selector: 'a' }, 'invalid', /`selector` is not supported in act/),
  act({ kind: 'click', ref: 'e1', button: 'up' }, 'invalid', /button must be one of left, right, middle/),
  act({ kind: 'click', ref: 'e1', modifiers: ['Hyper'] }, 'invalid', /modifiers must be among Alt, Control/),
  act({ kind: 'click', ref: 'e1', timeoutMs: 'soon' }, 'invalid', /timeoutMs must be a number/),
  act({ kind: 'type', ref: 'e1' }, 'invalid', /text required/),
  act({ kind: 'press' }, 'invalid', /key required/),
  act({ kind: 'press', key: 'NoSuchKey' }, 'invalid', /There is no key "NoSuchKey"\. Use names such as Enter/),
  act({ kind: 'drag', startRef: 'e1' }, 'not_found', /Unknown ref "e1"/),
  act({ kind: 'select', ref: 'e1' }, 'invalid', /values required: at least one option/),
  act({ kind: 'fill', fields: 'x' }, 'invalid', /fields required: a list of \{ref, value\}/),
  act({ kind: 'resize', width: 'wide', height: 2 }, 'invalid', /width must be a number/),
  act({ kind: 'resize', width: 1e9, height: 2 }, 'invalid', /at most 10000 pixels/),
  act({ kind: 'wait' }, 'invalid', /wait needs one of timeMs, text, /),
  act({ kind: 'wait', loadState: 'soon' }, 'invalid', /loadState must be one of load/),
  act({ kind: 'evaluate', fn: '(((' }, 'invalid', /The script failed: SyntaxError/),
  act({ kind: 'batch', actions: [] }, 'invalid', /actions required: a list of acts/),
  act({ kind: 'batch', actions: [{ kind: 'batch' }] }, 'invalid', /cannot hold another batch/),
  ['POST', '/screenshot', { type: 'gif' }, 'invalid', /type must be png or jpeg/],
  ['POST', '/screenshot', { fullPage: true, ref: 'e1' }, 'invalid', /leave out ref and element, or fullPage/],
  ['POST', '/screenshot', { ref: 'e1', element: 'a' }, 'invalid', /Use one of ref and element/],
  ['POST', '/screenshot', { fullPage: 'all' }, 'invalid', /fullPage must be true or false/],
  ['POST', '/hooks/dialog', {}, 'invalid', /accept required: true or false/],
  ['POST', '/hooks/file-chooser', { ref: 'e1', inputRef: 'e2' }, 'invalid', /Use one of ref .* inputRef and element/],
  ['POST', '/response/body', {}, 'invalid', /url required/],
  ['POST', '/profiles/create', {}, 'invalid', /name required: lower-case letters/],
  ['POST', '/profiles/create', { name: 'A' }, 'invalid', /"A" is no name of a profile/],
  ['POST', '/profiles/create', { name: 'x', cdpUrl: 'ftp://x' }, 'invalid', /cdpUrl must be an http:\/\//],
  ['POST', '/cookies/set', {}, 'invalid', /cookie required: \{name, value, url\}/],
  ['POST', '/set/device', { name: 'x' }, 'not_found', /There is no device "x", e\.g\. "iPhone 15"/],
  ['POST', '/set/timezone', { timezoneId: 'Mars' }, 'invalid', /does not take this timezoneId/],
  ['DELETE', '/tabs/zz', {}, 'not_found', /tab not found: "zz"/],
  ['POST', '/profiles/create', { name: 'clawd' }, 'conflict', /There is a profile "clawd" already/],
  ['DELETE', '/profiles/clawd', {}, 'invalid', /"clawd" is the default profile\. Set browser\.defaultProfile/],
  ['DELETE', '/profiles/none', {}, 'not_found', /has no browser profile "none"/],
  ['DELETE', '/profiles/A', {}, 'invalid', /"A" is no name of a profile/],
  ['POST', '/download', {}, 'invalid', /ref required/],
  ['POST', '/highlight', {}, 'invalid', /ref required/],
  ['POST', '/trace/stop', {}, 'conflict', /No trace is being recorded\. Start one first/],
  ['POST', '/cookies/set', { cookie: { name: 'x' } }, 'invalid', /cookie needs url, or domain and path/],
  [
    'POST',
    '/cookies/set',
    { cookie: { name: 'x', url: 'http://x', sameSite: 'lax' } },
    'invalid',
    /sameSite must be Lax, None or Strict/,
  ],
  ['GET', '/storage/cloud', {}, 'invalid', /storage is local or session/],
  ['POST', '/storage/local/set', {}, 'invalid', /key required/],
  ['POST', '/set/nothing', {}, 'not_found', /There is no \/set\/nothing; there are offline, headers, /],
  ['POST', '/set/offline', {}, 'invalid', /offline required: true or false/],
  ['POST', '/set/headers', {}, 'invalid', /headers required: names and values/],
  ['POST', '/set/credentials', {}, 'invalid', /username required/],
  ['POST', '/set/geolocation', { latitude: 1 }, 'invalid', /latitude and longitude required/],
  ['POST', '/set/media', { colorScheme: 'blue' }, 'invalid', /colorScheme must be dark, light/],
  ['POST', '/reset-profile', { profile: 'far' }, 'invalid', /only supported for local profiles; "far" is attached/],
  go('', 'invalid', /targetUrl required: the address to open/),
  go('nonsense', 'invalid', /"nonsense" is no address\. Write it with https:\/\//),
  go('http://exa mple/', 'invalid', /is no address/),
  go('x'.repeat(70_000), 'invalid', /^"x{200}" is no address/),
  go('file:///etc/passwd', 'denied', /opens http: and https: pages, not file: ones/),
  go('javascript:alert(1)', 'denied', /not javascript: ones/),
  go('http://joe:secret@page.example/', 'denied', /^(?!.*secret).*user name or password.*browser set credentials/),
];

describe('bad input to the browser', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness({ profiles: { far: { cdpUrl: 'http://far.example:9222' } } });
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/upload` });
  });
  after(() => h[Symbol.asyncDispose]());

  test(`${ROWS.length} calls that cannot work say why, and what works`, async () => {
    const asked = h.pages.asked.length;
    for (const [method, path, given, code, says] of ROWS)
      await assert.rejects(
        h.call(method, path, given),
        fails(code, says),
        `${method} ${path} ${JSON.stringify(given)}`,
      );
    assert.deepEqual(h.pages.asked.slice(asked), []);
  });

  test('each code has its status', () => {
    const codes = ['invalid', 'auth', 'denied', 'not_found', 'conflict', 'unsupported', 'storage'] as const;
    assert.deepEqual(
      codes.map((code) => statusOf({ code, details: undefined })),
      [400, 401, 403, 404, 409, 501, 507],
    );
    assert.equal(statusOf({ code: 'invalid', details: { allow: 'GET' } }), 405);
  });

  test('several files for an input of one; a tab named by what two of them begin with', async () => {
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('x') }));
    await assert.rejects(
      h.call('POST', '/hooks/file-chooser', { element: '#g' }, { files }),
      fails('invalid', /takes one file only\. Give one path/),
    );
    // Ids begin with one of sixteen letters, so of seventeen tabs two begin with the same letter.
    const by = (at: number) => ({ caller: h.session(`many-${Math.trunc(at / 8)}`) });
    h.configure({ profiles: { clawd: { shared: true } } });
    try {
      let letter: string | undefined;
      for (let at = 0; letter === undefined; at++) {
        await h.call('POST', '/tabs/open', { url: 'about:blank' }, by(at));
        const { tabs } = (await h.call('GET', '/tabs')) as { tabs: { targetId: string }[] };
        const letters = tabs.map(({ targetId }) => targetId[0]!);
        letter = letters.find((one, index) => letters.indexOf(one) !== index);
      }
      await assert.rejects(
        h.call('POST', '/tabs/focus', { targetId: letter }),
        fails('conflict', /ambiguous target id prefix: \d+ tabs begin/),
      );
    } finally {
      h.configure({});
    }
  });

  test('HTTP authentication is told of with what sets it', async () => {
    const refused = await h.call('POST', '/navigate', { url: `${h.pages.url}/login` });
    assert.equal(refused.status, 401);
    assert.match(refused.notices.join(), /asks for a user name and a password.*browser set credentials --username/);
    await h.call('POST', '/set/credentials', { username: 'joe', password: 'secret' });
    assert.equal((await h.call('POST', '/navigate', { url: `${h.pages.url}/login` })).status, 200);
    assert.match(await h.see(), /let in/);
  });

  test('a certificate nobody vouches for is not accepted', async () => {
    const files = [join(h.folder, 'key.pem'), join(h.folder, 'cert.pem')] as const;
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
    const subject = ['-subj', '/CN=page.example'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', files[0], '-out', files[1]], {
      stdio: 'ignore',
    });
    const [key, cert] = await Promise.all(files.map((path) => readFile(path)));
    const server = createServer({ key, cert }, (_request, response) => response.end('secret')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assert.rejects(
      h.call('POST', '/navigate', { url: `https://page.example:${port}/` }),
      fails('denied', /has no valid certificate \(ERR_CERT_\w+\)\. It is not opened/),
    );
    server.closeAllConnections();
    server.close();
  });

  test('a browser that is missing, broken or too old', async () => {
    h.configure({ executablePath: '/nowhere/chrome' });
    await h.call('POST', '/stop');
    await assert.rejects(
      h.call('POST', '/start'),
      fails('unavailable', /names \/nowhere\/chrome, and no program is there/),
    );
    const old = createHttp((_request, response) =>
      response.end(JSON.stringify({ Browser: 'Chrome/79.0.3945.130', webSocketDebuggerUrl: 'ws://127.0.0.1:1/x' })),
    ).listen(0, '127.0.0.1');
    await once(old, 'listening');
    const cdpUrl = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
    h.configure({ profiles: { old: { cdpUrl } } });
    await assert.rejects(
      h.call('POST', '/start', { profile: 'old' }),
      fails('unsupported', /is version 79; at least 112 is needed\. Update it/),
    );
    old.closeAllConnections();
    old.close();
    const path = join(h.folder, 'broken');
    await writeFile(path, '#!/bin/sh\necho "libnss3.so: cannot open shared object file" >&2; exit 127\n', {
      mode: 0o755,
    });
    h.configure({ executablePath: path });
    await assert.rejects(h.call('POST', '/start'), fails('unavailable', /did not start.*exit code 127.*\n.*libnss3/));
    h.configure({});
  });
});
