import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fails, openHarness, skipWithoutChromium, type Harness } from '../harness.ts';

describe('what pages may reach', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  const asked: string[] = [];
  const canary = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    response.end('canary');
  }).on('upgrade', (request, socket) => {
    asked.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  let at = '';
  before(async () => {
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.2', resolve));
    at = `127.0.0.2:${(canary.address() as AddressInfo).port}`;
    h = await openHarness();
    await h.call('POST', '/tabs/open', { url: h.pages.url });
  });
  after(async () => {
    await h[Symbol.asyncDispose]();
    canary.closeAllConnections();
    canary.close();
  });
  const go = (url: string) => h.call('POST', '/navigate', { url, timeoutMs: 30_000 });

  test('118: addresses of credentials and of this machine are not opened', async () => {
    await assert.rejects(
      go('http://169.254.169.254/latest/meta-data'),
      fails('denied', /does not open 169\.254\.169\.254.*ssrfPolicy/),
    );
    await assert.rejects(go(`http://${at}/`), fails('denied', /loopback/));
    await assert.rejects(h.call('POST', '/tabs/open', { url: `http://${at}/` }), fails('denied', /loopback/));
    await assert.rejects(go('http://localhost/'), fails('denied', /does not open localhost/));
  });

  test('files, internals and pages made of text are not opened', async () => {
    for (const url of [
      'file:///etc/passwd',
      'view-source:http://a.example',
      'chrome://version',
      'data:text/html,x',
      'javascript:alert(1)',
      'ftp://a.example',
      'devtools://devtools',
      'blob:null/1',
    ])
      await assert.rejects(go(url), fails('denied', /opens http: and https: pages/), url);
    await assert.rejects(go('not an address'), fails('invalid', /is no address/));
    await assert.rejects(go(' '), fails('invalid', /targetUrl required/));
  });

  test('a redirect to where pages may not go is told of', async () => {
    await assert.rejects(go(`${h.pages.url}/redirect-metadata`), fails('denied', /169\.254\.169\.254/));
    await assert.rejects(go(`${h.pages.url}/redirect-loop`), fails('bad_response', /redirects without end/));
  });

  test('nothing a page does reaches another address of this machine', async () => {
    await go(`${h.pages.url}/form`);
    const script = `
      const at = ${JSON.stringify(at)};
      const quiet = (make) => new Promise((resolve) => { try { make(resolve); } catch { resolve();
          } setTimeout(resolve, 1500); });
      const end = (one, done) => { one.onload = one.onerror = one.onclose = done; };
      await Promise.all([
        fetch('http://' + at + '/fetch', { mode: 'no-cors' }).catch(() => 0),
        fetch('http://2130706434:' + at.split(':')[1] + '/decimal', { mode: 'no-cors' }).catch(() => 0),
        fetch('https://' + at + '/tls', { mode: 'no-cors' }).catch(() => 0),
        quiet((done) => { const one = new Image(); end(one, done); one.src = 'http://' + at + '/img'; }),
        quiet((done) => { const one = new WebSocket('ws://' + at + '/ws'); one.onerror = one.onclose = done; }),
        quiet((done) => { const one = new EventSource('http://' + at + '/sse');
          one.onerror = () => { one.close(); done(); }; }),
        quiet((done) => { const one = document.createElement('iframe'); one.onload = done;
          one.src = 'http://' + at + '/frame'; document.body.append(one); }),
        quiet((done) => { const code = 'fetch("http://' + at + '/worker", {mode:"no-cors"}).finally(() => ' +
          'postMessage(1))';
          const one = new Worker(URL.createObjectURL(new Blob([code]))); one.onmessage = one.onerror = done; }),
        quiet((done) => { const one = document.createElement('script'); end(one, done);
          one.src = 'http://' + at + '/script.js'; document.head.append(one); }),
        quiet((done) => { navigator.sendBeacon('http://' + at + '/beacon', 'x'); done(); }),
        quiet((done) => { const ice = { urls: 'turn:' + at + '?transport=tcp', username: 'u', credential: 'p' };
          const one = new RTCPeerConnection({ iceServers: [ice] });
          one.createDataChannel('x'); one.createOffer().then((offer) => one.setLocalDescription(offer));
          one.onicegatheringstatechange = () => one.iceGatheringState === 'complete' && done(); }),
      ]);
      const form = Object.assign(document.createElement('form'), { action: 'http://' + at + '/form',
          method: 'post', target: '_blank' });
      document.body.append(form); form.submit(); window.open('http://' + at + '/window');
      return 'tried';`;
    assert.equal((await h.act({ kind: 'evaluate', fn: script, timeoutMs: 15_000 })).result, 'tried');
    assert.deepEqual(asked, []);
    // The canary works: with permission it is reached.
    h.configure({ ssrfPolicy: { allowRanges: ['127.0.0.0/8'] } });
    try {
      await go(`http://${at}/allowed`);
      assert.match(await h.see(), /canary/);
      assert.match(asked.join(), /\/allowed/);
    } finally {
      h.configure({});
    }
  });

  test('a name that leads to this machine is judged by its address', async () => {
    await assert.rejects(go('http://rebound.example/'), fails('network', /rebound\.example does not answer/));
    h.configure({ ssrfPolicy: { allowRanges: [] } });
    try {
      await assert.rejects(go('http://rebound.example/'), fails('denied', /127\.0\.0\.1.*loopback/));
      await assert.rejects(go(h.pages.url), fails('denied', /loopback/));
    } finally {
      h.configure({});
    }
  });

  test('answers without a page, without an end, and none at all', async () => {
    await assert.rejects(go(`${h.pages.url}/204`), fails('bad_response', /204 No Content/));
    const endless = await go(`${h.pages.url}/endless`);
    assert.equal(endless.loading, true);
    assert.match(await h.see({ timeoutMs: 2000 }), /Endless/);
    await assert.rejects(
      h.call('POST', '/navigate', { url: `${h.pages.url}/silent`, timeoutMs: 1000 }),
      fails('timeout', /sent no page within 1000 ms/),
    );
    await assert.rejects(
      go('http://127.0.0.1:1/'),
      fails('network', /could not be opened|does not answer|cannot be reached/),
    );
  });
});
