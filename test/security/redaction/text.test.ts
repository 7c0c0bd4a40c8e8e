// Text for logs: secrets of every format are masked, similar text is not, and the run time is linear.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactText } from '../../../src/platform/redact.ts';
import { LONE_KEYS, NEIGHBOURS, PLANTED } from './shapes.ts';

const SEAMS = ['\n', ' and then ', '; ', '\n\n', '", "', ' | ', "'", '\t'];
const tail = (text: string): string => text.slice(Math.max(0, text.length - 24));

test('a secret of every shape is masked, once and for all, in text and as a field of a log line', (t) => {
  const cases = [...PLANTED, ...LONE_KEYS];
  const missed = cases.flatMap(({ name, text, secret }) => {
    const clean = redactText(text);
    const line = JSON.stringify({ event: 'x', text });
    const cleanLine = redactText(line);
    const leaks = [clean, cleanLine].some(
      (seen) => seen.includes(secret) || (secret.length >= 30 && seen.includes(tail(secret))),
    );
    const broken = (() => {
      try {
        JSON.parse(cleanLine);
        return false;
      } catch {
        return true;
      }
    })();
    return leaks || broken || redactText(clean) !== clean
      ? [`${name}: ${clean} | ${leaks ? cleanLine : broken ? `no JSON: ${cleanLine}` : redactText(clean)}`]
      : [];
  });
  assert.deepEqual(missed, []);
  assert.ok(cases.length >= 300, `${cases.length}`);
  t.diagnostic(`secrets by shape: ${cases.length - missed.length}/${cases.length} masked`);
});

test('what only resembles a secret stays', (t) => {
  const changed = NEIGHBOURS.flatMap((text) =>
    [text, JSON.stringify({ text })]
      .filter((each) => redactText(each) !== each)
      .map((each) => `${each} → ${redactText(each)}`),
  );
  assert.deepEqual(changed, []);
  t.diagnostic(`neighbours: ${NEIGHBOURS.length}/${NEIGHBOURS.length} unchanged`);
});

test('a line of JSON with secrets among other things stays JSON, and a second pass changes nothing', () => {
  let seed = 7;
  const pick = <T>(from: readonly T[]): T =>
    from[(seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff) % from.length]!;
  for (let round = 0; round < 3000; round += 1) {
    const { text, secret, name } = pick(PLANTED);
    const reported =
      pick(NEIGHBOURS) + pick(SEAMS) + text + pick(SEAMS) + pick(NEIGHBOURS) + pick(SEAMS) + pick(PLANTED).text;
    let value: object = pick([
      { reported, cut: reported.slice(0, 1 + (seed % reported.length)) },
      { args: reported.split(' ') },
    ]);
    for (let depth = seed % 3; depth > 0; depth -= 1) value = { body: JSON.stringify(value) };
    const clean = redactText(JSON.stringify(value));
    assert.doesNotThrow(() => JSON.parse(clean), clean);
    assert.equal(redactText(clean), clean);
    // What was cut may have lost what tells that it is a secret: the @ behind a password.
    if ('reported' in value)
      assert.ok(!(JSON.parse(clean) as { reported: string }).reported.includes(secret), `${name}: ${clean}`);
  }
});

/**
 * In proportion: 64 times the text takes 64 times as long, with room for the load of the machine.
 */
test('hostile text takes time in proportion to its length', () => {
  const units = [
    'token=',
    'token="',
    '"token":"',
    '"token":\\"',
    'password: ',
    '--token ',
    '--token --',
    'https://a:',
    '://a:b',
    '://',
    'http://a@',
    'mysql ',
    'mysql -',
    'docker login ',
    'machine ',
    'Authorization: ',
    'authorization: Bearer ',
    'Cookie: ',
    'cookie=',
    'a=cookie',
    '/hooks/',
    '/hook/a',
    'sk-',
    'ask-',
    'eyJ',
    'eyJa.',
    'aaaaaaa.',
    'MAAAAA',
    'KEY=',
    'A_KEY',
    '_KEY',
    '?key=',
    '?a',
    '&amp;',
    '-----BEGIN PRIVATE KEY-----',
    'Private-Lines: 1\n',
    '\\',
    '\\"',
    '"',
    'token\\',
    "token'",
    'token,',
    '"token","',
    '1',
    '12:',
    'curl -u a',
    'curl -u',
    'AKIA',
    'xoxb-',
    '%3D',
    'token%3D',
    'x-',
    'token ',
    'curl "-u","',
    '7z -p',
    ' -p',
    "sshpass'",
    'secret_',
    'passw',
    'key',
    'token$',
    'token=$(',
    'token="${',
    'token:',
    'token:a',
    'token=null',
    'token=$A',
    'token: a',
    'token=a(',
    'secret_',
    'Bearer ',
    'bearer a1',
    'response=',
    'password:"',
    'password:",',
    'token:","',
    "token='",
    'token=\'\\"',
    'token=`"',
    'nonce',
  ];
  const textOf = (before: string, unit: string, length: number): string =>
    before + unit.repeat(Math.ceil(length / unit.length));
  const timeOf = (text: string): bigint => {
    const begun = process.hrtime.bigint();
    redactText(text);
    return process.hrtime.bigint() - begun;
  };
  /** Of the processor, which no busy machine makes longer; it counts by milliseconds, so one needs many of them. */
  const processorOf = (text: string, times: number): number => {
    const begun = process.threadCpuUsage();
    for (let time = 0; time < times; time++) redactText(text);
    const { user, system } = process.threadCpuUsage(begun);
    return user + system;
  };
  const slow = units.flatMap((unit) =>
    ['', 'token="', 'curl ', 'https://'].flatMap((before) => {
      const [one, four] = [10_000, 40_000].map((length) => {
        const text = textOf(before, unit, length);
        return Math.min(...[1, 2, 3].map(() => Number(timeOf(text))));
      }) as [number, number];
      if (four < 2e6 || four / one < 10) return [];
      // Whoever looks slow is asked again: a text 64 times as long takes as long as 64 texts when it is in proportion,
      // and 64 times as long when it grows by the square.
      const short = Math.max(processorOf(textOf(before, unit, 10_000), 64), 5000);
      const long = processorOf(textOf(before, unit, 640_000), 1);
      return long / short > 8 ? [`${before}${unit}: ${short} → ${long} µs`] : [];
    }),
  );
  assert.deepEqual(slow, []);
});
