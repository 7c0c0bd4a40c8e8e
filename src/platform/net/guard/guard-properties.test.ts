import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLOSED_IPV4, CLOSED_IPV6 } from './address-table.ts';
import { checkHost, createNetGuard, type FetchRules } from './guard.ts';

const NONE: FetchRules = { allowHosts: [], allowRanges: [] };
const guard = createNetGuard({ rules: () => NONE, resolve: async () => [{ address: '93.184.216.34', family: 4 }] });

/** A range as its first and last number, worked out here and not by what is tested. */
function bounds(cidr: string): readonly [bigint, bigint] {
  const [head, prefix] = cidr.split('/') as [string, string];
  const bits = head.includes(':') ? 128n : 32n;
  const base = head.includes(':')
    ? fromGroups(head)
    : head.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  return [base, base + (1n << (bits - BigInt(prefix))) - 1n];
}

function fromGroups(text: string): bigint {
  const [left, right = ''] = text.split('::') as [string, string?];
  const [head, tail] = [left, right].map((side) => side.split(':').filter(Boolean)) as [string[], string[]];
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

const CLOSED4 = CLOSED_IPV4.map(([cidr]) => bounds(cidr));
const CLOSED6 = CLOSED_IPV6.map(([cidr]) => bounds(cidr));
const within = (ranges: readonly (readonly [bigint, bigint])[]) =>
  fc.constantFrom(...ranges).chain(([low, high]) => fc.oneof(fc.bigInt(low, high), fc.constantFrom(low, high)));
const closed = (value: bigint, ranges: readonly (readonly [bigint, bigint])[]) =>
  ranges.some(([low, high]) => value >= low && value <= high);

const bytesOf = (value: bigint) =>
  [24n, 16n, 8n, 0n].map((shift) => Number((value >> shift) & 255n)) as [number, number, number, number];
const hex = (value: bigint | number) => value.toString(16);
const groupsOf = (value: bigint) =>
  Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 65_535n);
const pair = (value: bigint) => `${hex(value >> 16n)}:${hex(value & 65_535n)}`;
const wide = (text: string) => text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

/** Ways to write an IPv4 address so that somebody takes it for that address. */
const SPELLINGS4: Record<string, (value: bigint) => string> = {
  dotted: (value) => bytesOf(value).join('.'),
  'trailing dot': (value) => `${bytesOf(value).join('.')}.`,
  decimal: (value) => String(value),
  hex: (value) => `0x${hex(value)}`,
  octal: (value) => `0${value.toString(8)}`,
  'dotted hex': (value) =>
    bytesOf(value)
      .map((byte) => `0X${hex(byte)}`)
      .join('.'),
  'dotted octal': (value) =>
    bytesOf(value)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  'three parts': (value) => {
    const [a, b, c, d] = bytesOf(value);
    return `${a}.${b}.${c * 256 + d}`;
  },
  'two parts': (value) => `${bytesOf(value)[0]}.${value & 0xffffffn}`,
  fullwidth: (value) => wide(bytesOf(value).join('.')),
  'ideographic dots': (value) => bytesOf(value).join('。'),
  mapped: (value) => `[::ffff:${bytesOf(value).join('.')}]`,
  'mapped in hex': (value) => `[::FFFF:${pair(value)}]`,
  'mapped, written out': (value) => `[0:0:0:0:0:ffff:${pair(value)}]`,
  compatible: (value) => `[::${bytesOf(value).join('.')}]`,
  'RFC 6145': (value) => `[::ffff:0:${pair(value)}]`,
  NAT64: (value) => `[64:ff9b::${pair(value)}]`,
  'local NAT64': (value) => `[64:ff9b:1::${pair(value)}]`,
  '6to4': (value) => `[2002:${pair(value)}::1]`,
  Teredo: (value) => `[2001:0:4136:e378:8000:63bf:${pair(value ^ 0xffffffffn)}]`,
  ISATAP: (value) => `[2606:4700::200:5efe:${pair(value)}]`,
};

/** Ways to write the same IPv6 address. */
const SPELLINGS6: Record<string, (value: bigint) => string> = {
  'written out': (value) =>
    groupsOf(value)
      .map((group) => hex(group).padStart(4, '0'))
      .join(':'),
  'without zeros': (value) => groupsOf(value).map(hex).join(':'),
  'capital letters': (value) =>
    groupsOf(value)
      .map((group) => hex(group).toUpperCase())
      .join(':'),
  'dotted end': (value) =>
    `${groupsOf(value).slice(0, 6).map(hex).join(':')}:${bytesOf(value & 0xffffffffn).join('.')}`,
  shortened: (value) => new URL(`http://[${groupsOf(value).map(hex).join(':')}]/`).hostname.slice(1, -1),
};

async function refused(host: string) {
  assert.equal(checkHost(host, NONE).ok, false, host);
  assert.equal((await guard.check(`http://${host}/`)).ok, false, host);
}

async function allowed(host: string) {
  assert.equal(checkHost(host, NONE).ok, true, host);
  assert.equal((await guard.check(`http://${host}/`)).ok, true, host);
}

test('property: every IPv4 address of a closed range is refused in every spelling', async () => {
  await fc.assert(
    fc.asyncProperty(within(CLOSED4), async (value) => {
      for (const spell of Object.values(SPELLINGS4)) await refused(spell(value));
    }),
    { numRuns: 200 },
  );
});

test('property: every IPv6 address of a closed range is refused in every spelling', async () => {
  await fc.assert(
    fc.asyncProperty(within(CLOSED6), async (value) => {
      for (const spell of Object.values(SPELLINGS6)) {
        await refused(`[${spell(value)}]`);
        assert.equal(checkHost(spell(value), NONE).ok, false, spell(value));
      }
    }),
    { numRuns: 200 },
  );
});

test('property: every IPv6 address outside 2000::/3 is refused, but for NAT64 and mapped ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, (1n << 128n) - 1n), async (value) => {
      fc.pre(value >> 125n !== 1n && value >> 32n !== 0xffffn && value >> 32n !== 0x64ff9bn << 64n);
      await refused(`[${SPELLINGS6['shortened']!(value)}]`);
    }),
    { numRuns: 300 },
  );
});

test('property: every public IPv4 address passes, and as itself inside IPv6', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, 0xffffffffn), async (value) => {
      fc.pre(!closed(value, CLOSED4));
      for (const name of ['dotted', 'trailing dot', 'mapped', 'mapped in hex', 'NAT64', '6to4', 'ISATAP'])
        await allowed(SPELLINGS4[name]!(value));
      for (const name of ['decimal', 'hex', 'fullwidth'])
        assert.ok((await guard.check(`http://${SPELLINGS4[name]!(value)}/`)).ok);
    }),
    { numRuns: 300 },
  );
});

test('property: every public IPv6 unicast address passes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt(1n << 125n, (1n << 126n) - 1n), async (value) => {
      const [first, , , , , isatap] = groupsOf(value);
      fc.pre(!closed(value, CLOSED6) && first !== 0x2002n && isatap !== 0x5efen);
      await allowed(`[${SPELLINGS6['without zeros']!(value)}]`);
    }),
    { numRuns: 500 },
  );
});

test('property: nothing anybody writes makes the guard throw', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.ipV6(),
    fc.ipV4Extended(),
    fc
      .array(
        fc.constantFrom(
          '.',
          ':',
          '[',
          ']',
          '%',
          '@',
          '/',
          '\\',
          '0',
          '0x',
          '127',
          'ffff',
          'localhost',
          '。',
          '\0',
          '\u00ad',
          'ſ',
        ),
        { maxLength: 20 },
      )
      .map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      for (const url of [value, `http://${value}/`, `http://[${value}]/`])
        assert.equal(typeof (await guard.check(url)).ok, 'boolean');
      assert.equal(typeof checkHost(value, { allowHosts: [value], allowRanges: [value] }).ok, 'boolean');
    }),
    { numRuns: 150 },
  );
});

test('property: what the guard reads out of a host is what the system would connect to', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.ipV4Extended(),
        fc.ipV4(),
        fc.ipV6().map((address) => `[${address}]`),
      ),
      async (host) => {
        const check = await guard.check(`http://${host}/`);
        if (!check.ok) return;
        const byUrl = new URL(`http://${host}/`).hostname.replace(
          /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/,
          (_, high: string, low: string) => bytesOf((BigInt(`0x${high}`) << 16n) + BigInt(`0x${low}`)).join('.'),
        );
        assert.equal(
          new URL(
            `http://${check.addresses[0]!.family === 6 ? `[${check.addresses[0]!.address}]` : check.addresses[0]!.address}/`,
          ).hostname,
          byUrl,
        );
      },
    ),
    { numRuns: 300 },
  );
});
