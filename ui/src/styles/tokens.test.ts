/** Text contrast in every colour combination: WCAG AA, in light and dark. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const AA = 4.5;
const GROUNDS = ['paper', 'side-paper', 'raised', 'sunken', 'hover', 'bubble'];
const INKS = ['ink', 'ink-soft', 'ink-faint', 'accent', 'good', 'warn', 'bad', 'blue', 'plum'];
const CODE = ['keyword', 'string', 'number', 'title', 'comment'].map((name) => `code-${name}`);
const PAIRS: readonly (readonly [string, string])[] = [
  ...GROUNDS.flatMap((ground) => INKS.map((ink) => [ink, ground] as const)),
  ...CODE.flatMap((ink) => ['sunken', 'paper'].map((ground) => [ink, ground] as const)),
  ...['good', 'warn', 'bad'].flatMap((tone) => [tone, 'ink', 'ink-soft'].map((ink) => [ink, `${tone}-wash`] as const)),
  ['accent-ink', 'accent-fill'],
  ['accent', 'accent-wash'],
];

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
);

/** Relative luminance of `#rrggbb`. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (bright! + 0.05) / (dark! + 0.05);
}

for (const theme of ['light', 'dark'] as const) {
  test(`${theme}: every ink reaches ${AA} on every ground`, () => {
    const faint = PAIRS.map(
      ([ink, ground]) =>
        [`${ink} on ${ground}`, contrast(tokens.get(ink)![theme], tokens.get(ground)![theme])] as const,
    ).filter(([, ratio]) => ratio < AA);
    assert.deepEqual(faint, []);
  });
}
