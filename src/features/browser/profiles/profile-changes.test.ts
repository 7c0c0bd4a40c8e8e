import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fails, openHarness, type Harness } from '../harness.ts';
import { browserConfigSchema } from '../config.ts';
import { atPath, webSocketFor } from '../chromium/endpoint.ts';
import {
  cdpPortsOf,
  controlPortOf,
  freeColor,
  freePort,
  isProfileName,
  portsOf,
  PROFILE_COLORS,
} from './profile-ports.ts';
import { resolveProfiles } from './resolve-profiles.ts';

test('81: names of profiles', () => {
  for (const name of ['work-2', 'a', '0', 'x'.repeat(64)]) assert.ok(isProfileName(name), name);
  for (const name of ['', 'A', '-x', 'a b', 'x'.repeat(65), 'a_b', 'ä', '../x']) assert.ok(!isProfileName(name), name);
});

test('82: the first free port of the range; those in addresses count, with their defaults', () => {
  const range = { first: 18_800, last: 18_802 };
  assert.equal(freePort(new Set(), range), 18_800);
  assert.equal(freePort(new Set([18_800, 18_802]), range), 18_801);
  assert.equal(freePort(new Set([18_800, 18_801, 18_802]), range), undefined);
  const ports = portsOf(['http://127.0.0.1:18801', 'https://a.example', 'http://b.example/x', 'no address']);
  assert.deepEqual([...ports], [18_801, 443, 80]);
});

test('84: the first unused colour, whatever its letters; they come round again', () => {
  assert.equal(freeColor([]), '#FF4500');
  assert.equal(freeColor(['#ff4500']), PROFILE_COLORS[1]);
  assert.equal(freeColor(PROFILE_COLORS), PROFILE_COLORS[0]);
  assert.equal(freeColor([...PROFILE_COLORS, '#FF4500']), PROFILE_COLORS[1]);
});

test('87: the ports move with the gateway', () => {
  assert.deepEqual([controlPortOf(18_789), cdpPortsOf(18_789)], [18_791, { first: 18_800, last: 18_899 }]);
  assert.deepEqual([controlPortOf(19_001), cdpPortsOf(19_001)], [19_003, { first: 19_012, last: 19_111 }]);
});

test('next to a port of the system nothing is counted, nor beyond the last port there is', () => {
  assert.deepEqual([controlPortOf(undefined), cdpPortsOf(undefined)], [0, 'system']);
  assert.deepEqual([controlPortOf(65_534), cdpPortsOf(65_500)], [0, 'system']);
});

test('112: credentials, tokens and TLS of a DevTools address are kept', () => {
  assert.deepEqual(atPath(new URL('https://u:p%20w@far.example:9222/?token=t'), '/json/version'), {
    url: 'https://far.example:9222/json/version?token=t',
    headers: { authorization: `Basic ${Buffer.from('u:p w').toString('base64')}` },
  });
  const at = (offered: string, base: string) => webSocketFor(offered, new URL(base));
  assert.equal(
    at('ws://127.0.0.1:9222/devtools/browser/1', 'https://u:p@far.example/?token=t'),
    'wss://u:p@far.example/devtools/browser/1?token=t',
  );
  assert.equal(
    at('ws://localhost:9222/devtools/browser/1', 'http://127.0.0.1:9222'),
    'ws://localhost:9222/devtools/browser/1',
  );
});

test('profiles follow from the configuration', () => {
  const config = browserConfigSchema.parse({
    defaultProfile: 'far',
    profiles: { far: { cdpUrl: 'https://far.example:9222/' }, near: { cdpUrl: 'http://localhost:9333' }, third: {} },
  });
  const found = resolveProfiles(config, { first: 18_800, last: 18_899 });
  assert.deepEqual(
    found.map(({ name, cdpPort, isRemote, attachOnly, isDefault }) => [name, cdpPort, isRemote, attachOnly, isDefault]),
    [
      ['clawd', 18_800, false, false, false],
      ['far', 9222, true, true, true],
      ['near', 9333, false, true, false],
      ['third', 18_801, false, false, false],
    ],
  );
  assert.equal(found[1]!.cdpUrl, 'https://far.example:9222');
});

describe('profiles that are made and removed', () => {
  let h: Harness;
  before(async () => {
    h = await openHarness({}, { fixedPorts: true });
  });
  after(() => h[Symbol.asyncDispose]());
  const create = (given: object) => h.call('POST', '/profiles/create', given);

  test('83, 85: the implicit profile keeps its port; an address elsewhere is remote', async () => {
    const work = await create({ name: 'work' });
    assert.deepEqual([work.cdpPort, work.isRemote, work.color], [h.range.first + 1, false, PROFILE_COLORS[1]]);
    const far = await create({ name: 'far', cdpUrl: 'http://far.example:9222/', color: '#123abc' });
    assert.deepEqual([far.isRemote, far.cdpUrl, far.color], [true, 'http://far.example:9222', '#123ABC']);
    await assert.rejects(create({ name: 'bad', cdpUrl: 'ftp://x.example' }), fails('invalid', /cdpUrl must be/));
    await assert.rejects(create({ name: 'work' }), fails('conflict', /a profile "work" already/));
    await assert.rejects(create({}), fails('invalid', /name required/));
    await assert.rejects(create({ name: 'A b' }), fails('invalid', /is no name of a profile/));
    const { profiles } = await h.call('GET', '/profiles');
    assert.deepEqual(
      profiles.map((one: any) => [one.name, one.isDefault, one.running]),
      [
        ['clawd', true, false],
        ['work', false, false],
        ['far', false, false],
      ],
    );
  });

  test('an agent attaches to nothing it could not open; the owner does', async () => {
    const denied = fails('denied', /An agent makes no profile that attaches to .*The owner can make it/);
    for (const cdpUrl of ['http://10.0.0.1:9222', 'ws://[::1]:9222/x', 'https://169.254.169.254', 'wss://127.0.0.2:1'])
      await assert.rejects(create({ name: 'near', cdpUrl }), denied, cdpUrl);
    const caller = { kind: 'operator', files: h.folder } as const;
    const near = await h.call('POST', '/profiles/create', { name: 'near', cdpUrl: 'http://10.0.0.1:9222' }, { caller });
    assert.equal(near.cdpUrl, 'http://10.0.0.1:9222');
    await h.call('DELETE', '/profiles/near');
  });

  test('86: removing moves user data to the trash, and touches nothing of a browser elsewhere', async () => {
    await create({ name: 'gone' });
    await mkdir(join(h.folder, 'browser', 'gone', 'user-data'), { recursive: true });
    await writeFile(join(h.folder, 'browser', 'gone', 'user-data', 'cookies'), 'x');
    const gone = await h.call('DELETE', '/profiles/gone');
    assert.equal(gone.deleted, true);
    assert.deepEqual(await readdir(join(gone.to, 'user-data')), ['cookies']);
    assert.equal((await h.call('DELETE', '/profiles/far')).deleted, false);
    await assert.rejects(h.call('DELETE', '/profiles/clawd'), fails('invalid', /is the default profile/));
    await assert.rejects(h.call('DELETE', '/profiles/nobody'), fails('not_found', /has no browser profile/));
    await assert.rejects(h.call('DELETE', '/profiles/A'), fails('invalid', /is no name/));
  });

  test('82: a range that is used up says so', async () => {
    for (let at = 0; at < 8; at++) await create({ name: `p${at}` });
    await assert.rejects(create({ name: 'late' }), fails('storage', /No available CDP ports in range/));
  });
});
