// Every regular expression of the product, found in the sources, with hostile text: the run time is linear.
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
/** All texts are tried at this length; it is enough to tell which are the worst. */
const SHORT_LENGTH = 3000;
/** So many of the worst are tried longer. */
const WORST = 3;
const LENGTH = 100_000;
/**
 * Of work. In proportion takes about a millisecond. What takes longer is tried on four times the text: sixteen times
 * as long when it is slow.
 */
const [FIRST_MS, SECOND_MS] = [150, 2000];
/** On a quiet machine, too, a thread does not work all of the time until a timeout. */
const PART_THAT_COUNTS = 0.7;
/**
 * In the full run the text that takes a pattern longest is tried at this length too, and where it takes long at four
 * times that.
 */
const MAX_LENGTH = 1_000_000;
const IS_FULL = process.env['TEST_MATRICES'] === 'full';

/** Patterns that see short text alone, and who keeps it short. */
const SHORT: Readonly<Record<string, string>> = {
  'agent/tool-policy/place-match.ts /^(?:-?\\d+|(?=.*\\d)[A-Z0-9]{6,}|[^\\s#]+[:@]\\S*[.\\d]\\S*|[^\\s#-]{20,})$/':
    'keys of at most 200 characters',
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
const runAll = new Script(`took.length = 0;
for (const text of texts) {
  const began = now();
  text.replace(pattern, '');
  took.push(now() - began);
}`);

function holdsUp(pattern: Found, hostile: Hostile): boolean {
  return (
    outlasts(pattern, textOf(hostile, LENGTH), FIRST_MS) && outlasts(pattern, textOf(hostile, 4 * LENGTH), SECOND_MS)
  );
}

const textOf = ([before, unit]: Hostile, length: number): string =>
  `${before}${unit.repeat(Math.ceil(length / unit.length))}\u0001`;

/** The texts it takes longest on, the worst first; one that takes time without end is the first. */
function worstFor(pattern: Found, texts: readonly Hostile[]): readonly Hostile[] {
  const took: number[] = [];
  const short = texts.map((hostile) => textOf(hostile, SHORT_LENGTH));
  if (!endsInTime(runAll, { ...contextOf(pattern), texts: short, took, now: () => performance.now() }, 2 * FIRST_MS))
    took.push(Infinity);
  return texts
    .map((hostile, index) => ({ hostile, ms: took[index] ?? 0 }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, WORST)
    .map(({ hostile }) => hostile);
}

/** The text that holds it up. */
function slowOn(pattern: Found): Hostile | undefined {
  const worst = worstFor(pattern, hostileTo(pattern.source));
  const isSlowWhenLonger = (text: Hostile): boolean =>
    outlasts(pattern, textOf(text, MAX_LENGTH), 10 * FIRST_MS) &&
    outlasts(pattern, textOf(text, 4 * MAX_LENGTH), 10 * SECOND_MS);
  const texts = worst.map((each) => textOf(each, LENGTH));
  const isQuickOnAll = endsInTime(runAll, { ...contextOf(pattern), texts, took: [], now: () => 0 }, FIRST_MS);
  return (
    (isQuickOnAll ? undefined : worst.find((each) => holdsUp(pattern, each))) ??
    (IS_FULL ? worst.slice(0, 1).find(isSlowWhenLonger) : undefined)
  );
}

const contextOf = ({ source, flags }: Found): object => ({ pattern: new RegExp(source, flags) });

const outlasts = (pattern: Found, text: string, timeout: number): boolean =>
  !endsInTime(run, { ...contextOf(pattern), text }, timeout);

/** `ms`: of work of this thread. A timeout counts while other programs have the machine, too, and is then doubled. */
function endsInTime(script: Script, given: object, ms: number): boolean {
  Object.assign(context, given);
  for (let timeout = ms; ; timeout *= 2) {
    const before = process.threadCpuUsage();
    try {
      script.runInContext(context, { timeout });
      return true;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.threadCpuUsage(before);
      if ((user + system) / 1000 >= ms * PART_THAT_COUNTS) return false;
    }
  }
}

it('the finder finds: patterns known to be slow are', () => {
  for (const source of [
    '-+$',
    '\\n\\n\\[(Replying to|Quoting) [^\\]\\n]*\\]\\n[\\s\\S]*\\n\\[\\/(?:Replying|Quoting)\\]$',
    '^(?:<!--[^]*?-->\\s*)*<svg',
    '(?:a+ ?)+$',
    'MEDIA:\\s*(.+?)\\s*$',
  ]) {
    const pattern = { where: '', source, flags: '' };
    const worst = worstFor(pattern, hostileTo(source));
    assert.ok(
      worst.some((text) => outlasts(pattern, textOf(text, LENGTH), FIRST_MS)),
      source,
    );
  }
});

it('no regular expression holds the event loop up', async (t) => {
  const all = (await regexes()).filter(({ where }) => !IN_WORKER.test(where));
  const slow = all
    .filter((one) => !(`${one.where} /${one.source}/` in SHORT))
    .flatMap((one) => {
      const text = slowOn(one);
      return text === undefined ? [] : [`${one.where} /${one.source}/${one.flags} on ${JSON.stringify(text)}`];
    });
  assert.deepEqual(slow, []);
  assert.ok(all.length > 900, `${all.length} were found`);
  t.diagnostic(
    `regular expressions: ${all.length}/${all.length} in proportion to ${LENGTH} characters${IS_FULL ? `, on the worst text to ${MAX_LENGTH}` : ''}, ${Object.keys(SHORT).length} of them on short text alone`,
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
