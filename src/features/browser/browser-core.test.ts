import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { startTimeOf, stillRuns } from '../../platform/process-identity.ts';
import { startChildProgram } from './platform/child-program.ts';
import { until } from '../../testing/until.ts';
import { endOrphan } from './chromium/orphaned-browser.ts';
import { ownerOfPort } from './chromium/owner-of-port.ts';
import { fails, openHarness, skipWithoutChromium, type Harness } from './harness.ts';

describe('browsers and their tabs', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  before(async () => {
    const profiles = { work: {}, other: { shared: true } };
    h = await openHarness({ limits: { tabsPerSession: 3 }, profiles }, { fixedPorts: true });
  });
  after(() => h[Symbol.asyncDispose]());
  const userData = (profile: string) => join(h.folder, 'browser', profile, 'user-data');

  test('nothing runs before it is needed, and status says so', async () => {
    const status = await h.call('GET', '/');
    assert.deepEqual([status.running, status.cdpReady, status.cdpHttp, status.pid], [false, false, false, null]);
    assert.equal(status.cdpPort, h.range.first);
    assert.deepEqual(await h.call('GET', '/tabs'), { running: false, tabs: [] });
    await assert.rejects(h.call('POST', '/tabs/focus', { targetId: 'x' }), fails('conflict', /not running/));
  });

  test('88: without a profile the default one; an unknown one names those there are', async () => {
    assert.equal((await h.call('POST', '/start')).profile, 'clawd');
    assert.equal((await h.call('GET', '/', { profile: 'work' })).running, false);
    await assert.rejects(
      h.call('GET', '/', { profile: 'nope' }),
      fails('not_found', /no browser profile "nope".*clawd, work, other/),
    );
  });

  test('89: tabs by a prefix of their id; ambiguous and unknown ones are told', async () => {
    const first = await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` });
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/twice` });
    // 110: the most recently used one
    assert.match(await h.see(), /Same/);
    await h.call('POST', '/tabs/focus', { targetId: first.targetId.slice(0, 20).toLowerCase() });
    assert.match(await h.see(), /Order/);
    await assert.rejects(h.call('DELETE', '/tabs/zzzz'), fails('not_found', /tab not found/));
    await assert.rejects(h.call('POST', '/tabs/action', { action: 'select' }), fails('invalid', /select needs index/));
    const { tabs } = await h.call('POST', '/tabs/action', { action: 'list' });
    const shared = [...tabs[0].targetId].findIndex((one, at) => one !== tabs[1].targetId[at]);
    if (shared > 0)
      await assert.rejects(
        h.see({ targetId: tabs[0].targetId.slice(0, shared) }),
        fails('conflict', /ambiguous target id prefix/),
      );
    await h.call('POST', '/tabs/action', { action: 'select', index: 1 });
    await h.call('DELETE', `/tabs/${first.targetId}`);
    assert.equal((await h.call('GET', '/tabs')).tabs.length, 1);
  });

  test('a session sees its own tabs, and may have so many of them', async () => {
    const you = { caller: h.session('you') };
    assert.equal((await h.call('GET', '/tabs', {}, you)).tabs.length, 0);
    const { targetId } = (await h.call('GET', '/tabs')).tabs[0];
    await assert.rejects(
      h.see({ targetId }).then(() => h.call('GET', '/snapshot', { targetId }, you)),
      fails('not_found', /tab not found/),
    );
    for (let at = 0; at < 3; at++) await h.call('POST', '/tabs/open', { url: h.pages.url }, you);
    await assert.rejects(
      h.call('POST', '/tabs/open', { url: h.pages.url }, you),
      fails('conflict', /3 tabs open, as many as it may have/),
    );
    const operator = { caller: { kind: 'operator', files: h.folder } as const };
    assert.ok((await h.call('GET', '/tabs', {}, operator)).tabs.length >= 4);
  });

  test('a session that was reset or is gone loses its tabs', async () => {
    h.sessions.set('you', 'you-1');
    await h.core.sweep();
    assert.equal((await h.call('GET', '/tabs', {}, { caller: h.session('you') })).tabs.length, 3);
    h.sessions.set('you', 'you-2');
    await h.core.sweep();
    const operator = { caller: { kind: 'operator', files: h.folder } as const };
    assert.equal(
      (await h.call('GET', '/tabs', {}, operator)).tabs.filter((tab: any) => tab.url !== 'about:blank').length,
      1,
    );
  });

  test('116: two profiles used in turn keep both connections', async () => {
    // Another program listens on the port and never answers: Chromium then uses ::1 instead.
    const held = connect({ host: '127.0.0.1', port: h.pages.port, localPort: h.range.first + 1 });
    await once(held, 'connect');
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form`, profile: 'work' });
    assert.match((await h.call('GET', '/', { profile: 'work' })).cdpUrl, new RegExp(`:${h.range.first + 1}$`));
    held.destroy();
    const [one, two] = [h.core.browserOf(h.core.profile('clawd')).now, h.core.browserOf(h.core.profile('work')).now];
    assert.match(await h.see(), /Same/);
    assert.match(await h.see({ profile: 'work' }), /Order/);
    assert.match(await h.see(), /Same/);
    assert.equal(h.core.browserOf(h.core.profile('clawd')).now, one);
    assert.equal(h.core.browserOf(h.core.profile('work')).now, two);
    await h.call('POST', '/stop', { profile: 'work' });
    assert.ok(!(await stillRuns(two!.launched!.process.pid, two!.launched!.process.birth)));
    assert.deepEqual(await ownerOfPort({ port: h.range.first + 1, userDataDir: userData('work') }), { kind: 'nobody' });
  });

  test('a browser that was killed is started again by the next call, which says that the page is gone', async () => {
    const pid = await h.browserPid();
    process.kill(pid, 'SIGKILL');
    await until(() => h.core.browserOf(h.core.profile(undefined)).now === undefined);
    await assert.rejects(
      h.see(),
      fails('unavailable', /was started again\. The page that was open is gone: http.*twice/),
    );
    // another session is not notified, because it lost nothing
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` }, { caller: h.session('you') });
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` });
    assert.match(await h.see(), /Order/);
  });

  test('a network process that ends alone has forgotten the login to the proxy: it is let in again', async () => {
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` });
    const browser = await h.browserPid();
    const networks = await networkProcessesOf(browser);
    assert.equal(networks.length, 1);
    process.kill(networks[0]!, 'SIGKILL');
    await until(async () => {
      const now = await networkProcessesOf(browser);
      return now.length > 0 && now.every((pid) => pid !== networks[0]);
    });
    await h.call('POST', '/navigate', { url: `${h.pages.url}/empty` });
    assert.match(await h.see(), /only words/);
    assert.equal(await h.browserPid(), browser, 'it is the same browser');
  });

  test('a navigation that ends with the network process is done once more, and nobody notices', async () => {
    const browser = await h.browserPid();
    for (const round of [1, 2, 3]) {
      const [network] = await networkProcessesOf(browser);
      process.kill(network!, 'SIGKILL');
      const there = await h.call('POST', '/navigate', { url: `${h.pages.url}/empty?round=${round}` });
      assert.deepEqual([there.status, there.url], [200, `${h.pages.url}/empty?round=${round}`]);
      await until(async () => (await networkProcessesOf(browser)).some((pid) => pid !== network));
    }
    assert.match(await h.see(), /only words/);
    assert.equal(await h.browserPid(), browser, 'it is the same browser');
  });

  test('114: reset-profile ends a browser of the profile that was left, and nothing else', async () => {
    const args = [
      '--no-sandbox',
      '--headless=new',
      '--disable-gpu',
      `--remote-debugging-port=${h.range.first + 1}`,
      `--user-data-dir=${userData('work')}`,
    ];
    const left = await startChildProgram({
      command: h.core.deps.config().executablePath!,
      args,
      env: { PATH: process.env['PATH']!, HOME: h.folder },
    });
    await until(
      async () => (await ownerOfPort({ port: h.range.first + 1, userDataDir: userData('work') })).kind === 'ours',
    );
    const reset = await h.call('POST', '/reset-profile', { profile: 'work', trash: true });
    assert.ok(reset.ended > 0 && reset.moved && reset.to.includes('.trash'));
    await left.exited;
    const stranger = createServer().listen(h.range.first + 1, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    try {
      const says = /taken by another program \(process \d+/;
      await assert.rejects(h.call('POST', '/reset-profile', { profile: 'work' }), fails('conflict', says));
      await assert.rejects(h.call('POST', '/start', { profile: 'work' }), fails('conflict', says));
      assert.ok(stranger.listening);
    } finally {
      await new Promise((resolve) => stranger.close(resolve));
    }
  });

  test('a browser of a gateway that was killed is ended by the next life, and nobody else', async () => {
    const pid = await h.browserPid();
    const birth = (await startTimeOf(pid))!;
    assert.deepEqual(await endOrphan(join(h.folder, 'browser', 'nowhere'), silentLog), []);
    assert.ok((await endOrphan(join(h.folder, 'browser', 'clawd'), silentLog)).includes(pid));
    assert.equal(await stillRuns(pid, birth), false);
  });

  test('a missing browser is named with what to install', async () => {
    h.configure({ executablePath: '/nowhere/chrome' });
    await assert.rejects(
      h.call('POST', '/start', { profile: 'work' }),
      fails('unavailable', /executablePath names \/nowhere\/chrome/),
    );
    h.configure({ executablePath: undefined });
    const status = await h.call('GET', '/', { profile: 'work' });
    assert.equal(
      status.detectedBrowser,
      status.detectedExecutablePath?.includes('headless') ? 'headless-shell' : status.detectedBrowser,
    );
  });

  test('111, 115: a browser of somebody else is attached to, seen by its own, and left running', async () => {
    h.configure({});
    const args = [
      '--no-sandbox',
      '--headless=new',
      '--disable-gpu',
      `--remote-debugging-port=${h.range.last}`,
      `--user-data-dir=${join(h.folder, 'theirs')}`,
      `${h.pages.url}/empty`,
    ];
    const theirs = await startChildProgram({
      command: h.core.deps.config().executablePath!,
      args,
      env: { PATH: process.env['PATH']!, HOME: h.folder },
    });
    try {
      h.configure({ profiles: { mine: { cdpUrl: `http://127.0.0.1:${h.range.last}/` } } });
      await until(() => h.call('GET', '/', { profile: 'mine' }).then(({ cdpHttp }) => cdpHttp));
      const caller = { kind: 'operator', files: h.folder } as const;
      const first = await h.call('GET', '/tabs', { profile: 'mine' }, { caller });
      assert.deepEqual([first.running, first.tabs.length], [true, 1]);
      await h.call('POST', '/tabs/open', { profile: 'mine', url: `${h.pages.url}/form` });
      assert.match(await h.see({ profile: 'mine' }), /Order/);
      assert.equal((await h.call('POST', '/stop', { profile: 'mine' })).stopped, false);
      assert.ok(theirs.running);
      await assert.rejects(
        h.call('POST', '/reset-profile', { profile: 'mine' }),
        fails('invalid', /only supported for local profiles/),
      );
    } finally {
      await theirs.end(0);
    }
    await assert.rejects(
      h.call('POST', '/tabs/open', { profile: 'mine', url: h.pages.url }),
      fails('unavailable', /does not answer.*remote-debugging-port/s),
    );
  });
});

/** Child processes of this browser that hold its connections. */
async function networkProcessesOf(browser: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
      if (!line.includes('NetworkService')) return [];
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(browser) ? [pid] : [];
    }),
  );
  return found.flat();
}
