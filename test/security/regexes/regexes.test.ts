// Every regular expression of the product, found by itself, on hostile text: none takes longer than in proportion to
// its length.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { createContext, Script } from 'node:vm';
import ts from 'typescript';
import { bareText } from '../../../src/gateway/methods/bare-text.ts';
import { samplesOf } from './sample.ts';

const ROOT = join(import.meta.dirname, '../../../src');
const LENGTH = 100_000;
/**
 * In proportion takes about a millisecond. What takes longer, be it for the load of the machine, is tried on four times
 * the text: sixteen times as long when it is slow.
 */
const [FIRST_MS, SECOND_MS] = [150, 2000];
/** The text that takes a pattern longest is tried at this length too, and where it takes long at four times that. */
const MAX_LENGTH = 1_000_000;

/** Patterns that see short text alone, and who keeps it short. */
const SHORT: Readonly<Record<string, string>> = {
  'agent/tool-policy/place-match.ts /^(?:-?\\d+|(?=.*\\d)[A-Z0-9]{6,}|[^\\s#]+[:@]\\S*[.\\d]\\S*|[^\\s#-]{20,})$/':
    'keys of at most 200 characters',
  'core/directives.ts /[*_~` ]*\\b\\w+\\W*$/': 'the last 40 characters of an answer',
};
/** Documents are read in a worker of their own, with a limit on its time and memory. */
const IN_WORKER = /^documents\//;

interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

async function regexes(): Promise<readonly Found[]> {
  const names = (await readdir(ROOT, { recursive: true }))
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\/fake[^/]*\.ts$|\/harness\.ts$|^testing\//.test(name))
    .sort();
  return names.flatMap((name) => {
    const found: Found[] = [];
    const visit = (node: ts.Node): void => {
      const [, source, flags] = ts.isRegularExpressionLiteral(node)
        ? (/^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [])
        : [];
      if (source !== undefined) found.push({ where: name, source, flags: flags ?? '' });
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(name, readFileSync(join(ROOT, name), 'utf8'), ts.ScriptTarget.Latest));
    return found;
  });
}

/** What stands before, once, and what is repeated behind it. */
type Hostile = readonly [before: string, unit: string];

/** Each could be the beginning of a match that never ends. */
function hostileTo(source: string): readonly Hostile[] {
  const samples = samplesOf(source);
  const signs = [...new Set([...samples.join(''), 'a', ' ', '\n', '\r'])].slice(0, 12);
  const pairs = signs.slice(0, 4).flatMap((one) =>
    signs
      .slice(0, 4)
      .filter((other) => other !== one)
      .map((other) => one + other),
  );
  const units = [...new Set([...signs, ...pairs, ...samples.slice(0, 24)])];
  return [
    ...units.flatMap((unit): Hostile[] => [
      ['', unit],
      ['x ', unit],
    ]),
    ...samples.slice(0, 16).flatMap((sample): Hostile[] => [
      [sample, ' '],
      [sample, sample.at(-1)!],
    ]),
  ];
}

const context = createContext({});
const run = new Script('text.replace(pattern, "")');

function holdsUp(pattern: Found, hostile: Hostile): boolean {
  return (
    outlasts(pattern, textOf(hostile, LENGTH), FIRST_MS) && outlasts(pattern, textOf(hostile, 4 * LENGTH), SECOND_MS)
  );
}

const textOf = ([before, unit]: Hostile, length: number): string =>
  `${before}${unit.repeat(Math.ceil(length / unit.length))}\u0001`;

/** What it took longest on, of texts that take no time without end. */
function worstFor(pattern: Found, texts: readonly Hostile[]): Hostile | undefined {
  const took = texts.map((hostile) => {
    const began = performance.now();
    outlasts(pattern, textOf(hostile, LENGTH / 10), FIRST_MS);
    return { hostile, ms: performance.now() - began };
  });
  return took.toSorted((a, b) => b.ms - a.ms)[0]?.hostile;
}

function outlasts({ source, flags }: Found, text: string, timeout: number): boolean {
  Object.assign(context, { pattern: new RegExp(source, flags), text });
  try {
    run.runInContext(context, { timeout });
    return false;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return true;
    throw error;
  }
}

it('the finder finds: patterns known to be slow are', () => {
  for (const source of [
    '-+$',
    '\\n\\n\\[(Replying to|Quoting) [^\\]\\n]*\\]\\n[\\s\\S]*\\n\\[\\/(?:Replying|Quoting)\\]$',
    '^(?:<!--[^]*?-->\\s*)*<svg',
    '(?:a+ ?)+$',
    'MEDIA:\\s*(.+?)\\s*$',
  ])
    assert.ok(
      hostileTo(source).some((text) => outlasts({ where: '', source, flags: '' }, textOf(text, LENGTH), FIRST_MS)),
      source,
    );
});

it('no regular expression holds the event loop up', async (t) => {
  const all = (await regexes()).filter(({ where }) => !IN_WORKER.test(where));
  const slow = all
    .filter((one) => !(`${one.where} /${one.source}/` in SHORT))
    .flatMap((one) => {
      const texts = hostileTo(one.source);
      const worst = worstFor(one, texts);
      const text =
        texts.find((each) => holdsUp(one, each)) ??
        (worst &&
        outlasts(one, textOf(worst, MAX_LENGTH), 10 * FIRST_MS) &&
        outlasts(one, textOf(worst, 4 * MAX_LENGTH), 10 * SECOND_MS)
          ? worst
          : undefined);
      return text === undefined ? [] : [`${one.where} /${one.source}/${one.flags} on ${JSON.stringify(text)}`];
    });
  assert.deepEqual(slow, []);
  assert.ok(all.length > 900, `${all.length} were found`);
  t.diagnostic(
    `regular expressions: ${all.length}/${all.length} in proportion to ${LENGTH} characters, on the worst text to ${MAX_LENGTH}, ${Object.keys(SHORT).length} of them on short text alone`,
  );
});

it('a history full of brackets is read as fast as any other', () => {
  for (const unit of [
    '\n\n[Quoting ]\n',
    '\n\n[Replying to a]\n',
    '[',
    '[[',
    '[a id:',
    ' id: ',
    '\n\n[message_id: ',
    '[Thread started by a]\n',
    '\n[/Quoting]',
    '\n\n[Current message - respond to this]',
  ]) {
    const text = unit.repeat(1_000_000 / unit.length);
    assert.ok(bareText(text).length <= text.length);
  }
  assert.equal(bareText('yes\n\n[Quoting Ann id:1]\n[/Quoting]\n[/Quoting]'), 'yes');
  assert.equal(bareText('yes [Quoting Ann]\n[/Quoting]'), 'yes [Quoting Ann]\n[/Quoting]');
});
