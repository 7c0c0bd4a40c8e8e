// Every parser of external text on the event loop, with hostile text up to a megabyte: its run time is linear.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import ts from 'typescript';
import { AppError } from '../../../src/core/errors.ts';
import { typed } from '../../../src/core/saying.ts';
import { mentionPatterns, mentionsAgent } from '../../../src/pipeline/access/mentions.ts';
import { createMatcher } from '../../../src/platform/match-in-time.ts';
import { PatchProblem } from '../../../src/tools/apply_patch/patch.ts';
import { HOSTILE } from './hostile.ts';
import { PARSERS, type Parser } from './table.ts';

const SRC = join(import.meta.dirname, '../../../src');
/**
 * All texts are tried short. By default the worst one is then compared at an eighth of the two lengths, where work in
 * proportion to the square already shows; the full run compares the worst at the whole lengths and the second at a quarter.
 */
const [SHORT, MIDDLE, LONG] = [8000, 125_000, 1_000_000];
const PARTS = process.env['TEST_MATRICES'] === 'full' ? [1, 4] : [8];
const SHORT_TIMEOUT_MS = 10_000;
/**
 * The system counts a thread's work in steps of up to ten milliseconds, and one step tells nothing: what is not above
 * some of them is done again, as often.
 */
const [STEPS_MS, AGAIN] = [25, 8];
/**
 * Eight times the text may take eight times the work, and as much again for what memory costs; in proportion to its
 * square it takes 64 times.
 */
const [MAX_RATIO, NEGLIGIBLE_MS] = [26, 200];

const context = createContext({});
const script = new Script('work()');

/** What a parser threw that is no refusal. */
const broken = new Set<string>();

/**
 * Milliseconds this thread worked on each of the texts, whatever else the machine does; Infinity for the one that did
 * not come to an end, and nothing for those after it. One clock for all of them: each is a thread of its own.
 */
function costs(parse: Parser, texts: readonly string[], timeout: number): number[] {
  const taken: number[] = [];
  const work = (): void => {
    for (const text of texts) {
      const before = process.threadCpuUsage();
      try {
        parse(text);
      } catch (error) {
        if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        // What is no such thing is refused, by a sentence of ours.
        if (!(error instanceof AppError || error instanceof PatchProblem))
          broken.add(`${String(error)} of ${String(parse)}`);
      }
      const { user, system } = process.threadCpuUsage(before);
      taken.push((user + system) / 1000);
    }
  };
  Object.assign(context, { work });
  try {
    script.runInContext(context, { timeout });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    taken.push(Infinity);
  }
  return taken;
}

const cost = (parse: Parser, text: string, timeout: number): number => costs(parse, [text], timeout)[0]!;

function steadyCost(parse: Parser, text: string, timeout: number, times = AGAIN): number {
  const first = cost(parse, text, timeout);
  if (first > STEPS_MS) return first;
  const again = costs(parse, Array<string>(times).fill(text), timeout * times);
  return again.reduce((sum, ms) => sum + ms, 0) / again.length;
}

interface Growth {
  readonly label: string;
  readonly middle: number;
  readonly long: number;
  readonly negligible: number;
}

const grows = ({ middle, long, negligible }: Growth): boolean =>
  long > negligible && (long === Infinity || long > middle * MAX_RATIO);

/** The time limit counts while others have the machine, too; what is in proportion never comes near it. */
const LOADED_TIMEOUT_MS = 20_000;

/**
 * When the first try is bad, the next measure the short text more exactly, and of the long one the least work counts:
 * collected garbage and other programs only ever add to it.
 */
function growthOf(parse: Parser, label: string, { part = 1, tries = 4, timeoutMs = LOADED_TIMEOUT_MS } = {}): Growth {
  const [middle, long] = [HOSTILE[label]!(MIDDLE / part), HOSTILE[label]!(LONG / part)];
  let best: Growth = { label, negligible: NEGLIGIBLE_MS / part, middle: Infinity, long: Infinity };
  for (let tried = 0; tried < tries && grows(best); tried++) {
    const short = steadyCost(parse, middle, timeoutMs, AGAIN * 4 ** tried);
    const whole =
      short === Infinity ? Infinity : steadyCost(parse, long, Math.ceil(Math.max(timeoutMs, short * MAX_RATIO * 1.5)));
    best = { ...best, middle: short, long: Math.min(best.long, whole) };
  }
  return best;
}

const shortTexts = Object.entries(HOSTILE).map(([label, make]) => [label, make(SHORT)] as const);

/** All together, and each by itself when together they take too long. */
function shortCosts(parse: Parser): readonly number[] {
  const texts = shortTexts.map(([, text]) => text);
  const together = costs(parse, texts, SHORT_TIMEOUT_MS);
  return together.at(-1) === Infinity ? texts.map((text) => cost(parse, text, SHORT_TIMEOUT_MS)) : together;
}

/** The worst texts for it, at both lengths. */
function fuzz(parse: Parser): readonly Growth[] {
  const tried = shortCosts(parse)
    .map((ms, index) => ({ label: shortTexts[index]![0], ms }))
    .sort((a, b) => b.ms - a.ms);
  return PARTS.map((part, index) => growthOf(parse, tried[index]!.label, { part }));
}

it('the finder finds: work that is known to grow faster is', () => {
  const search: Parser = (text) => {
    let sum = 0;
    for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) sum += text.indexOf(']', at);
    return sum;
  };
  for (const part of new Set(PARTS)) {
    assert.ok(grows(growthOf(search, '"["', { part, tries: 1, timeoutMs: 1500 })));
    assert.ok(!grows(growthOf((text) => text.split('').sort(), '"["', { part })));
  }
});

it('no parser works more than in proportion to what it reads', { timeout: 600_000 }, async (t) => {
  const found: { readonly name: string; growths: readonly Growth[] }[] = [];
  for (const [name, parse] of Object.entries(PARSERS)) {
    found.push({ name, growths: fuzz(parse) });
    await breathe(); // other tests share this process
  }
  // A machine that is slow for some seconds is slow for all tries of one parser: what it did then is measured once more.
  for (const one of found) if (one.growths.some(grows)) one.growths = fuzz(PARSERS[one.name]!);
  const slow = found.flatMap(({ name, growths }) =>
    growths
      .filter(grows)
      .map(({ label, middle, long }) => `${name} on ${label}: ${middle.toFixed(1)} → ${long.toFixed(1)} ms`),
  );
  assert.deepEqual([slow, [...broken]], [[], []]);
  t.diagnostic(
    `parsers: ${found.length}/${found.length} in proportion, on ${shortTexts.length} kinds of text, up to ${LONG / PARTS[0]!} characters`,
  );
  const heavy = found
    .map(({ name, growths }) => [name, Math.max(...growths.map(({ long }) => long))] as const)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 8);
  t.diagnostic(
    `the most work for ${LONG / PARTS[0]!} characters: ${heavy.map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`).join(', ')}`,
  );
});

/**
 * Patterns put together while the program runs, and what keeps them short or quick. All others are read as they stand
 * by test/security/regexes.
 */
const MADE: Readonly<Record<string, string>> = {
  'agent/turn/end-turn.ts': 'of constants',
  'features/exchange/plain-reply.ts': 'of constants; a parser of the table',
  'channels/irc/inbound.ts': 'of its own nick, escaped, on one line of at most 512 bytes',
  'channels/irc/register.ts': 'of constants',
  'channels/slack/markdown.ts': 'of an id of letters and digits; a parser of the table',
  'core/folded.ts': 'one sign; parsers of the table',
  'features/a2ui/surface/check-text.ts': 'in browsers, where what could take long is refused before',
  'features/cron/schedule/duration.ts': 'of constants; a parser of the table',
  'features/cron/schedule/from-written.ts': 'of constants',
  'features/cron/schedule/read-once.ts': 'of constants',
  'features/cron/schedule/read-repeat.ts': 'of constants',
  'documents/html/bound-markup.ts': 'in a worker',
  'documents/html/remove-noise.ts': 'of constants, in a worker',
  'documents/html/separate-text.ts': 'of constants, on at most 24 characters',
  'documents/office/xml-text.ts': 'in a worker',
  'features/exec/analysis/programs/word-checks.ts': 'of constants, on words of a command',
  'features/exec/approvals/env-rules.ts': 'of constants, on names of variables',
  'features/exec/platform/process-census.ts': 'of constants, on what the system says',
  'features/openai/target.ts': 'of constants; a parser of the table',
  'features/retention/daily-logs.ts': 'of constants, on names of files',
  'pipeline/access/mentions.ts': 'of the configuration: tried in time',
  'pipeline/commands/levels.ts': 'of constants, from the first to the last sign',
  'core/directives/silence.ts': 'of constants; a parser of the table',
  'pipeline/understanding/links/detect/find-urls.ts': 'of constants; a parser of the table',
  'platform/charset/code-page.ts': 'one sign',
  'providers/offline/time-words.ts': 'of constants; a parser of the table',
  'sdk/typography.ts': 'one sign; a parser of the table',
};

it('every pattern made while the program runs is accounted for', async () => {
  const names = (await readdir(SRC, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|\/fake[^/]*\.ts$|\/harness\.ts$|^testing\//.test(name),
  );
  const made = names.filter((name) => {
    const text = readFileSync(join(SRC, name), 'utf8');
    if (!text.includes('RegExp')) return false;
    let found = false;
    const visit = (node: ts.Node): void => {
      if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
        found = true;
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
    return found;
  });
  assert.deepEqual(made.sort(), Object.keys(MADE).sort());
});

it('a mention pattern that never ends is given up, and the others still name the agent', () => {
  const given: string[] = [];
  const matcher = createMatcher({ onTimeout: (source) => void given.push(source) });
  const patterns = mentionPatterns({
    own: ['(a+ ?)+$', '^(\\w+\\s?)*!$', '\\bclawd\\b'],
    general: undefined,
    name: undefined,
    emoji: undefined,
  });
  const hostile = `${'a'.repeat(40)}\u0001`;
  for (let message = 0; message < 5; message++) {
    assert.equal(mentionsAgent(typed(hostile), patterns, matcher), false);
    assert.equal(mentionsAgent(typed(`${hostile} Clawd`), patterns, matcher), true);
  }
  assert.deepEqual(
    [...given].sort(),
    patterns
      .slice(0, 2)
      .map(({ source }) => source)
      .sort(),
  );
  assert.equal(mentionsAgent(typed('hello clawd'), patterns, matcher), true);
});
