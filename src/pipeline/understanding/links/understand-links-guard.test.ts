import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkHarness } from './fake.ts';
import { entry, config } from './fake.ts';

test("a command that prints the proxy's refusal has failed", async () => {
  await using harness = await linkHarness({
    reached: [{ host: '169.254.169.254', port: 80, blocked: '169.254.169.254 is link-local' }],
  });
  await harness.program('careless', 'echo "No connection: 169.254.169.254 is link-local."');
  const { notes, decision } = await harness.links('https://a.example', config([entry('careless')]));
  assert.deepEqual(
    [notes, decision.urls[0]!.attempts.map(({ outcome, reason }) => [outcome, reason])],
    [[], [['failed', 'blocked: 169.254.169.254 is link-local']]],
  );
});

test('T4 T24 T25 T26 T29 what the guard refuses is not run, takes no place, and says why', async () => {
  await using harness = await linkHarness({
    names: { 'inside.example': ['10.0.0.8'], 'mixed.example': ['93.184.216.34', '192.168.1.1'], 'gone.example': [] },
  });
  await harness.program('say', 'echo "$1" >> "$STAGE/ran"; echo text');
  const text =
    'http://127.0.0.1/test https://inside.example https://mixed.example https://gone.example https://ok.test ' +
    'https://late.example';
  const { decision } = await harness.links(text, config([entry('say')], { maxLinks: 1 }));
  assert.deepEqual(
    decision.urls.map(({ url, blocked }) => [url, blocked !== undefined]),
    [
      ['http://127.0.0.1/test', true],
      ['https://inside.example', true],
      ['https://mixed.example', true],
      ['https://gone.example', true],
      ['https://ok.test', false],
    ],
  );
  assert.deepEqual(
    decision.urls.slice(0, 4).map(({ attempts }) => attempts.length),
    [0, 0, 0, 0],
  );
  assert.match(decision.urls[3]!.blocked!, /does not resolve/);
  assert.equal(await harness.read('ran'), 'https://ok.test\n');
  assert.equal(harness.logged.filter(({ event }) => event === 'links.blocked').length, 4);
  const all = await harness.links('http://10.0.0.1 http://localhost', config([entry('say')]));
  assert.deepEqual([all.notes, all.decision.outcome, all.decision.urls.length], [[], 'no-links', 2]);
});

test(
  'T16 T17 T18 T19 T20 T21 T22 addresses and names of no public network are not run, in any spelling; public ' +
    'ones are',
  async () => {
    await using harness = await linkHarness();
    await harness.program('say', 'echo text');
    const hosts = [
      '[::1]',
      '[fe80::1]',
      '[fd00::1]',
      '[fec0::1]',
      '[ff02::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[2002:7f00:1::]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::1]',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '0',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.0.1',
      '100.64.0.1',
      '169.254.169.254',
      '198.18.0.1',
      '192.0.2.1',
      '203.0.113.5',
      '224.0.0.1',
      '240.0.0.1',
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      'x.local',
      'x.internal',
      'metadata.google.internal',
    ];
    for (const host of hosts) {
      const { decision } = await harness.links(`http://${host}/x`, config([entry('say')]));
      assert.deepEqual([decision.outcome, decision.urls.length, decision.urls[0]!.attempts], ['no-links', 1, []], host);
    }
    assert.deepEqual(harness.asked, [], 'no name of a local network is asked of DNS');
    for (const host of ['172.32.0.1', '8.8.8.8:8443', '[2606:4700::1111]'])
      assert.equal((await harness.links(`http://${host}/x`, config([entry('say')]))).decision.outcome, 'success', host);
  },
);

test('T23 an international name is asked of DNS in punycode and shown as written', async () => {
  await using harness = await linkHarness();
  await harness.program('say', 'echo "$1"');
  const { notes } = await harness.links('https://bücher.example/ä', config([entry('say')]));
  assert.deepEqual([harness.asked, notes[0]!.url], [['xn--bcher-kva.example'], 'https://bücher.example/ä']);
});

test('a name that turns private between two commands stops at the second', async () => {
  let asked = 0;
  const guard = {
    check: async () =>
      asked++ === 0
        ? { ok: true as const, addresses: [{ address: '93.184.216.34', family: 4 as const }] }
        : { ok: false as const, why: 'it is private now' },
    checkHost: () => ({ ok: true as const }),
  };
  await using harness = await linkHarness({ guard });
  await harness.program('fails', 'exit 1');
  await harness.program('say', 'echo text');
  const { notes, decision } = await harness.links('https://a.example', config([entry('fails'), entry('say')]));
  assert.deepEqual(
    [notes, decision.urls[0]!.attempts.map(({ reason }) => reason)],
    [[], ['exit code 1', 'it is private now']],
  );
});
