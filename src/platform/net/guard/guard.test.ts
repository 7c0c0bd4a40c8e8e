import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AppError } from '../../../core/errors.ts';
import { examine } from './examine.ts';
import { checkHost, createNetGuard, type FetchRules, type Resolve } from './guard.ts';

const NONE: FetchRules = { allowHosts: [], allowRanges: [] };
const family = (address: string) => (address.includes(':') ? 6 : 4);
const answers =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: family(address) }));
const guardOf = (rules: Partial<FetchRules>, resolve: Resolve = answers('93.184.216.34')) =>
  createNetGuard({ rules: () => ({ ...NONE, ...rules }), resolve });

interface Entry {
  readonly host: string;
  readonly resolve: Resolve;
  readonly asked: boolean;
}

/** The notation is explained at the top of `corpus/hostile.txt`. */
function corpus(name: string): Entry[] {
  const lines = readFileSync(new URL(`corpus/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  return lines.map((line) => {
    const [host = '', reported] = line.split(' -> ');
    const list = reported === undefined ? ['93.184.216.34'] : reported === 'none' ? [] : reported.split(', ');
    return { host, resolve: answers(...list), asked: reported !== undefined };
  });
}

/** Every way the product asks about an entry: as a URL, and as a bare host unless only DNS can tell. */
async function checks({ host, resolve, asked }: Entry): Promise<boolean[]> {
  const guard = guardOf({}, resolve);
  const isUrl = /^[a-z]+:/i.test(host);
  const byUrl = (await guard.check(isUrl ? host : `http://${host}/`)).ok;
  return isUrl || asked ? [byUrl] : [byUrl, guard.checkHost(host).ok];
}

test('guard corpus: every hostile host is refused, every legitimate one allowed (T4, T16–T26)', async (t) => {
  const [hostile, legitimate] = [corpus('hostile'), corpus('legitimate')];
  const wrong = { passed: [] as string[], stopped: [] as string[] };
  for (const entry of hostile) if ((await checks(entry)).includes(true)) wrong.passed.push(entry.host);
  for (const entry of legitimate) if ((await checks(entry)).includes(false)) wrong.stopped.push(entry.host);
  t.diagnostic(
    `guard corpus: ${hostile.length - wrong.passed.length}/${hostile.length} hostile refused, ` +
      `${legitimate.length - wrong.stopped.length}/${legitimate.length} legitimate allowed`,
  );
  assert.deepEqual(wrong, { passed: [], stopped: [] });
  assert.ok(hostile.length >= 200 && legitimate.length >= 50);
});

test('the guard asks DNS in punycode, without trailing dots, and for names only (T23, T27)', async () => {
  const asked: string[] = [];
  const guard = guardOf({}, async (name) => {
    asked.push(name);
    return [{ address: '1.1.1.1', family: 4 }];
  });
  for (const url of ['https://München.example./', 'https://1.1.1.1/', 'https://EXAMPLE.com..:8443/'])
    assert.ok((await guard.check(url)).ok, url);
  assert.deepEqual(asked, ['xn--mnchen-3ya.example', 'example.com']);
});

test('the guard gives each address once, IPv4 first', async () => {
  const guard = guardOf(
    {},
    answers('2606:4700:4700::1111', '1.1.1.1', '2606:4700:4700:0::1111', '::ffff:1.1.1.1', '8.8.8.8'),
  );
  assert.deepEqual(await guard.check('http://x.example/'), {
    ok: true,
    addresses: [
      { address: '1.1.1.1', family: 4 },
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ],
  });
});

test('one private answer refuses all, and the reason names it (T24, T25)', async () => {
  assert.deepEqual(await guardOf({}, answers('1.1.1.1', '10.0.0.8')).check('http://x.example/'), {
    ok: false,
    why: 'x.example resolves to 10.0.0.8, which is private (10.0.0.0/8)',
  });
});

test('a public address programs disagree about is refused where it is handed on as text', async () => {
  for (const host of ['010.8.8.8', '8.8.8.010', '8.010.8', '０１０.8.8.8', '0000000010.8.8.8'])
    assert.ok(!(await guardOf({}).check(`http://${host}/`)).ok, host);
  for (const host of ['8.0.8.8', '0x8.8.8.8', '8.8.8.8/x.010', '8.8.8.8:080'])
    assert.ok((await guardOf({}).check(`http://${host}/`)).ok, host);
});

test('a name without an answer, with an error, or with none in time is refused (T26)', async () => {
  const never = createNetGuard({ rules: () => NONE, resolve: () => new Promise(() => undefined), dnsTimeoutMs: 5 });
  const failing = guardOf({}, () => Promise.reject(new Error('ENOTFOUND')));
  const throwing = guardOf({}, () => {
    throw new Error('broken');
  });
  for (const guard of [never, failing, throwing, guardOf({}, answers())])
    assert.deepEqual(await guard.check('http://x.example/'), { ok: false, why: 'x.example does not resolve' });
});

test('a check ends when its signal fires', async () => {
  const guard = guardOf({}, () => new Promise(() => undefined));
  const controller = new AbortController();
  const checking = guard.check('http://x.example/', controller.signal);
  controller.abort();
  await assert.rejects(checking, (error) => error instanceof AppError && error.code === 'aborted');
  await assert.rejects(guard.check('http://1.1.1.1/', controller.signal), { code: 'aborted' });
});

test('allowHosts opens a name and what it resolves to, exactly or below a suffix', async () => {
  const guard = guardOf({ allowHosts: ['wiki.corp', '*.Intern.example', 'bücher.example'] }, answers('10.0.0.8'));
  for (const host of ['wiki.corp', 'WIKI.corp.', 'a.intern.example', 'a.b.intern.example', 'xn--bcher-kva.example'])
    assert.ok((await guard.check(`https://${host}/`)).ok, host);
  for (const host of ['x.wiki.corp', 'intern.example', 'evilintern.example', 'wiki.corp.evil.example', '10.0.0.8'])
    assert.ok(!(await guard.check(`https://${host}/`)).ok, host);
});

test('allowRanges opens addresses, written or resolved, in both families', async () => {
  const rules = { allowRanges: ['10.20.0.0/16', 'fd12:3456::/32', 'nonsense', '10.0.0.0/99'] };
  const guard = guardOf(rules, answers('10.20.3.4'));
  for (const host of ['10.20.0.0', '10.20.255.255', '[::ffff:10.20.1.1]', '[fd12:3456::1]', 'x.example'])
    assert.ok((await guard.check(`http://${host}/`)).ok, host);
  for (const host of ['10.21.0.0', '10.19.255.255', '[fd12:3457::1]', '[2002:a14:101::]', 'localhost', 'x.local'])
    assert.ok(!(await guard.check(`http://${host}/`)).ok, host);
  assert.deepEqual(checkHost('10.20.1.1', { ...NONE, ...rules }), { ok: true, address: '10.20.1.1' });
});

test('fakeIpRange opens what a name resolves to and no written address', async () => {
  const guard = guardOf({ fakeIpRange: '198.18.0.0/15' }, answers('198.19.3.4'));
  assert.ok((await guard.check('http://x.example/')).ok);
  assert.ok(!(await guard.check('http://198.19.3.4/')).ok);
  assert.ok(!(await guardOf({ fakeIpRange: '10.0.0.0/8' }, answers('10.0.0.1')).check('http://x.example/')).ok);
});

test('no exception opens where clouds hand out credentials', async () => {
  const rules = {
    allowHosts: ['metadata.google.internal', '*.internal', 'x.example', 'metadata'],
    allowRanges: [
      '169.254.0.0/16',
      '100.64.0.0/10',
      'fd00::/8',
      '64:ff9b::/96',
      '64:ff9b:1::/48',
      '2002::/16',
      '2001::/32',
      'fe80::/10',
      '168.63.129.16/32',
    ],
  };
  const hosts = [
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::a9fe:a9fe]',
    '[64:ff9b:1:a9fe:a9:fe00::]',
    '[2002:a9fe:a9fe::1]',
    '[2001::5601:5601]',
    '[fe80::a9fe:a9fe]',
    'metadata.google.internal',
    'METADATA.google.internal.',
    'metadata',
  ];
  for (const host of hosts) assert.ok(!(await guardOf(rules).check(`http://${host}/`)).ok, host);
  assert.ok(!(await guardOf(rules, answers('169.254.169.254')).check('http://x.example/')).ok);
  assert.ok((await guardOf(rules).check('http://db.internal/')).ok);
  assert.ok((await guardOf(rules).check('http://169.254.1.1/')).ok);
});

test('a check tells its steps, the last one being the one that decided', async () => {
  const options = { rules: { ...NONE, allowHosts: ['wiki.corp'] }, resolve: answers('10.0.0.8'), dnsTimeoutMs: 1000 };
  assert.deepEqual((await examine('http://wiki.corp:81/x', options)).steps, [
    { what: 'url', subject: 'http://wiki.corp:81', ok: true },
    { what: 'host', subject: 'wiki.corp', ok: true, detail: 'allowHosts wiki.corp' },
    { what: 'address', subject: '10.0.0.8', ok: true, detail: 'allowHosts wiki.corp' },
  ]);
  assert.deepEqual((await examine('http://me:hidden@x.example/', options)).steps, [
    { what: 'url', subject: '…@x.example/', ok: false, detail: 'a URL with a user name or password is not fetched' },
  ]);
});

test('new rules hold from the next check on', async () => {
  let rules = NONE;
  const guard = createNetGuard({ rules: () => rules, resolve: answers('10.0.0.1') });
  assert.ok(!(await guard.check('http://x.example/')).ok);
  rules = { ...NONE, allowRanges: ['10.0.0.1/32'] };
  assert.ok((await guard.check('http://x.example/')).ok);
});
