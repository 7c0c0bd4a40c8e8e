/** Rules for the shape of the tree that compiler, linter and import rules do not check. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { declaredNames } from './shape/declared-names.ts';
import { namesUsedEarly } from './shape/names-used-early.ts';
import { ownWordNames } from './shape/own-words.ts';

const skipped = (path: string) => /node_modules|^dist\//.test(path);
const find = (...patterns: string[]) =>
  globSync(patterns, { exclude: skipped })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();

const code = find(
  'src/**/*.ts',
  'ui/**/*.ts',
  'test/**/*.ts',
  'bench/**/*.{ts,mjs}',
  'scripts/**/*.mjs',
  'bin/*.mjs',
).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const inSrc = code.filter(({ path }) => path.startsWith('src/'));
const product = inSrc.filter(({ path }) => !isTest(path));
const plugins = find('src/{channels,providers,tools}/*/index.ts', 'src/{features,channels}/*/tools/*/index.ts').map(
  dirname,
);

/** Every rule below lists the files that break it, so a failure names them. */
function none(broken: readonly { path: string }[] | readonly string[]) {
  assert.deepEqual(
    broken.map((item) => (typeof item === 'string' ? item : item.path)),
    [],
  );
}

/** A feature goes with its folder, and lines about what is in it mean nothing then. */
function wentWithItsFeature(path: string) {
  const [feature] = /^src\/features\/[\w-]+/.exec(path) ?? [];
  return feature !== undefined && !existsSync(feature);
}

function isTest(path: string) {
  return /\.test\.ts$|\/fake[^/]*\.ts$|\/harness\.ts$|^src\/testing\/|^test\//.test(path);
}

/** A unit test carries the name of what it tests, which says what that is for. */
function isUnitTest(path: string) {
  return path.endsWith('.test.ts') && !path.startsWith('test/');
}

/** `path:line` of each line that matches. */
function lines({ path, text }: { path: string; text: string }, pattern: RegExp) {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []));
}

test('the tree is where these rules look for it', () => {
  assert.ok(product.length > 20 && plugins.length > 0);
});

test('no file is longer than 400 lines', () => {
  none(code.filter(({ text }) => text.trimEnd().split('\n').length > 400));
});

test('code reads from top to bottom: nothing is used above the line that makes it', () => {
  const read = code.filter(({ path }) => /^(src|ui\/src|scripts|bin|bench)\//.test(path) && !isTest(path));
  none(read.flatMap(({ path, text }) => namesUsedEarly(path, text).map((name) => `${path}: ${name}`)));
  const early = (text: string) => namesUsedEarly('a.ts', `function f() { ${text} }`);
  assert.deepEqual(early('const a = () => b; const b = 1; return a;'), ['b (1)']);
  // A declaration may stand below who names it, as long as all it uses stands above that.
  assert.deepEqual(early('const a = () => b(); const c = 1; function b() { return c; }'), ['c (1)']);
  assert.deepEqual(early('const c = 1; const a = () => b(); function b() { const d = c; return d; }'), []);
  assert.deepEqual(early('const a = () => b(); function b() { return d(); } const c = 1; function d() { return c; }'), [
    'c (1)',
  ]);
});

test('the composition is composition: at most 10 files and 1000 lines', () => {
  const files = product.filter(({ path }) => path.startsWith('src/app/'));
  assert.ok(files.length > 0);
  const lineCount = files.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
  assert.ok(files.length <= 10 && lineCount <= 1000, `${files.length} files, ${lineCount} lines`);
});

test('every file opens with a sentence on what it is for', () => {
  none(
    code.filter(
      ({ path, text }) => !isUnitTest(path) && !/^(#!.*\n)?(\/\*\*\s+(\*\s+)?[\w`].{12,}|\/\/ [\w`].{12,})/.test(text),
    ),
  );
});

test('files are named for the noun or verb inside, in kebab-case', () => {
  // A tool's folder and files carry its name as models call it.
  const kebab = (path: string) =>
    /^src\/((features|channels)\/[^/]+\/)?tools\//.test(path) ? basename(path).replaceAll('_', '-') : basename(path);
  none(code.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|d))?\.(ts|mjs)$/.test(kebab(path))));
});

test('no file or folder is a heap', () => {
  none(
    code.filter(({ path }) =>
      /(^|\/)(utils?|helpers?|common|managers?|misc|types|lib|shared)(\/|\.(ts|mjs)$)/.test(path),
    ),
  );
});

test('only a plugin exports a default', () => {
  const allowed =
    /^src\/(channels|providers|tools|features)\/[^/]+\/index\.ts$|^src\/(features|channels)\/[^/]+\/tools\/[^/]+\/index\.ts$|^test\/.*\/index\.ts$|^ui\/vite\.config\.ts$|^scripts\/(skips|results)-reporter\.mjs$/;
  none(
    code.filter(
      ({ path, text }) => /^export default\b|^export \{[^}]*\bas default\b/m.test(text) && !allowed.test(path),
    ),
  );
});

test('the environment is read in platform/env.ts alone', () => {
  none(product.filter(({ path }) => path !== 'src/platform/env.ts').flatMap((file) => lines(file, /\bprocess\.env\b/)));
});

test('no module keeps state of its own', () => {
  none(
    inSrc.flatMap((file) =>
      lines(file, /^(export )?(let|var) |^(export )?const \w+(: [^=]+)? = new (Map|Set|WeakMap|WeakSet)(<[^(]*>)?\(\)/),
    ),
  );
});

test('no catch is empty', () => {
  const empty = /catch\s*(\([^)]*\)\s*)?\{\s*\}|\.catch\(\s*(async\s*)?\([^)]*\)\s*=>\s*\{\s*\}\s*\)/;
  none(inSrc.filter(({ path, text }) => !isTest(path) && empty.test(text)));
});

/** Mechanisms there is one of: what writes one again in passing, and the file that has it. */
const mechanisms = [
  {
    name: 'a wait for time alone',
    use: 'src/platform/pause.ts',
    examples: [
      'await new Promise((resolve) => setTimeout(resolve, 5));',
      "import { setTimeout as sleep } from 'node:timers/promises';",
    ],
    again:
      /new Promise(<[^>]*>)?\(\(?\w+\)?\s*=>\s*\{?\s*setTimeout\(\w|\{ ?setTimeout\b[^}]*\} from 'node:timers\/promises'/,
    except: [],
  },
  {
    name: 'one piece of work after the other',
    use: 'src/platform/keyed-queue.ts',
    examples: [
      'last = last.then(work);',
      'this.#tail = this.#tail.then(work)',
      'state.writing = state.writing\n  .then(write)',
    ],
    again: /(?<![\w.])((?:this\.#|state\.)?\w+) = \1\s*\.then\(/,
    except: ['src/sessions/transcript.ts'], // a write that failed fails those behind it
  },
  {
    name: 'a few at a time',
    use: 'src/platform/semaphore.ts',
    examples: ['waiting.shift()?.();', 'await new Promise((resolve) => queue.push(resolve));'],
    again: /\.shift\(\)\?\.\(\)|\.push\(resolve\)/,
    except: [],
  },
  {
    name: 'a body of an answer',
    use: 'src/platform/bounded-body.ts',
    examples: ['const reader = stream.getReader();', 'for await (const chunk of response.body ?? []) {'],
    again: /\.getReader\(\)|for await \([^)]*\.body\b/,
    // parts of a model's answer, and events without an end, each bounded by its reader
    except: [
      'src/agent/loop/ask-model.ts',
      'src/platform/net/fetch/light-events.ts',
      'src/sdk/chat-model.ts',
      'src/sdk/event-stream.ts',
    ],
  },
  {
    name: 'a text cut to length',
    use: 'src/core/cut.ts',
    examples: ['`${name.slice(0, 40)}…`', '`${name.slice(0, 40).trim()}…`', "text.slice(0, 40) + '...'"],
    again: /\.slice\(0, [^)]*\)(?:\.\w+\(\))*\}(…|\.\.\.)|\.slice\(0, [^)]*\)\s*\+\s*['"`](…|\.\.\.)/,
    except: ['src/platform/redaction/mask.ts', 'src/pipeline/understanding/links/detect/find-urls.ts'], // no cuts
  },
  {
    name: 'text that may not be JSON',
    use: 'src/core/parse-json.ts',
    examples: [
      'return JSON.parse(a);\n  } catch (error) {\n    if (error instanceof SyntaxError) return undefined;',
      'return JSON.parse(a);\n  } catch (error) {\n    if (!(error instanceof SyntaxError)) throw error;\n    return undefined;',
    ],
    again:
      /JSON\.parse\([^;]*;\s*\} catch \(\w+\) \{\s*if \((\w+ instanceof SyntaxError\) return undefined|!\(\w+ instanceof SyntaxError\)\) throw \w+;\s*return undefined)/,
    except: ['src/channels/whatsapp/binary-json.ts'], // restores buffers while it parses
  },
];

for (const { name, use, examples, again, except } of mechanisms)
  test(`there is one ${use}: ${name}`, () => {
    none(examples.filter((line) => !again.test(line)));
    const others = code.filter(
      ({ path }) => /^(src|ui\/src)\//.test(path) && !isTest(path) && path !== use && !except.includes(path),
    );
    none(others.filter(({ text }) => again.test(text)).map(({ path }) => `${path} → ${use}`));
    none([use, ...except].filter((path) => !existsSync(path)));
  });

test('nothing is half done or kept for the past', () => {
  const banned = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|expect-error|nocheck)|\blegacy\b/i;
  none(product.filter(({ path }) => path !== 'src/config/migrate.ts').flatMap((file) => lines(file, banned)));
});

test('optional fields are left out by present(), not by conditional spreads', () => {
  const found = product.filter(({ path, text }) => !spreadingWithReason.has(path) && hasConditionalSpread(text));
  none(found.filter(({ path }) => path.startsWith('src/') && !path.includes('/page/')));
  for (const path of spreadingWithReason)
    assert.ok(wentWithItsFeature(path) || hasConditionalSpread(readFileSync(path, 'utf8')), path);
});

test('words of our own do not come back as names where the field has a term', () => {
  const found = code.flatMap(({ path, text }) =>
    ownWordNames(path, text, isTest(path)).map((name) => `${path} ${name}`),
  );
  none(found);
  assert.deepEqual(declaredNames('a.ts', 'const { a: wishList } = { told: 1 }; class C { #look(door: 1) {} }'), [
    'wishList',
    'C',
    'look',
    'door',
  ]);
  assert.deepEqual(ownWordNames('a.ts', 'const verdictOf = 1; const asked = 2;', false), ['verdictOf', 'asked']);
  assert.deepEqual(ownWordNames('a.ts', 'const verdictOf = 1; const asked = 2;', true), ['verdictOf']);
});

test('every channel and provider brings its fake server', () => {
  none(
    plugins.filter(
      (folder) => /\/(channels|providers)\//.test(folder) && !builtIn.has(folder) && !existsSync(`${folder}/fake.ts`),
    ),
  );
});

test('every channel, provider and tool brings a test', () => {
  none(plugins.filter((folder) => find(`${folder}/*.test.ts`).length === 0));
});

test('docs pages say what they hold and when to read them', () => {
  const pages = find('docs/**/*.md').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  none(pages.filter(({ text }) => !/^---\n(?=[\s\S]*?^summary: \S)(?=[\s\S]*?^read_when:)[\s\S]*?^---\n/m.test(text)));
});

test('links between docs pages lead somewhere', () => {
  const pages = ['AGENTS.md', ...find('docs/**/*.md', 'README.md')];
  none(
    pages.flatMap((page) =>
      localLinks(page)
        .filter((target) => !existsSync(target))
        .map((target) => `${page} → ${target}`),
    ),
  );
});

test('places that the architecture names are there', () => {
  const page = readFileSync('docs/design/architecture.md', 'utf8');
  const named = [...page.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path]) => path!);
  assert.ok(named.length > 15, 'the page is read');
  none(named.filter((path) => !existsSync(path) && !wentWithItsFeature(path)));
});

test('AGENTS.md is at most 120 lines', () => {
  assert.ok(readFileSync('AGENTS.md', 'utf8').trimEnd().split('\n').length <= 120);
});

/** Plugins that live inside the gateway: there is no other side to fake. */
const builtIn = new Set(['src/channels/webchat', 'src/providers/offline']);

/**
 * Files in which one condition adds several fields at once, or a field that may itself be undefined: `present()` cannot
 * say that.
 */
const spreadingWithReason = new Set([
  'src/agent/loop/call-options.ts',
  'src/agent/loop/to-prompt.ts',
  'src/agent/schema/gemini.ts',
  'src/agent/schema/simplify.ts',
  'src/agent/turn/end-turn.ts',
  'src/agent/turn/session-place.ts',
  'src/channels/discord/act-messages.ts',
  'src/channels/discord/outgoing.ts',
  'src/channels/discord/rules.ts',
  'src/cli/commands/config.ts',
  'src/config/create-store.ts',
  'src/config/explain.ts',
  'src/config/load.ts',
  'src/core/explain-access.ts',
  'src/features/cron/create-cron.ts',
  'src/features/cron/job/read-job.ts',
  'src/features/cron/scheduler/take-turn.ts',
  'src/features/cron/tools/cron/report-cron.ts',
  'src/features/devices/paired-device.ts',
  'src/features/exec/approvals/policy-edit.ts',
  'src/features/exec/sandbox/bwrap/bwrap-backend.ts',
  'src/gateway/methods/config.ts',
  'src/gateway/methods/history.ts',
  'src/gateway/ws/hello.ts',
  'src/host/adopt-plugin.ts',
  'src/host/system-events.ts',
  'src/journal/sqlite/inbound.ts',
  'src/pipeline/access/pairing-file.ts',
  'src/platform/log-record.ts',
  'src/platform/sqlite-rescue.ts',
  'src/tool-methods/tool-rpc.ts',
  'src/tools/gateway/index.ts',
]);

/** `...(x ? { k: x } : {})`, `...(x ? {} : { k: y })`, `...(x && { k: x })`. */
function hasConditionalSpread(text: string) {
  const spreads = [...text.matchAll(/\.\.\.\(/g)].map(({ index }) => inParentheses(text, index + 3));
  return spreads.some((inner) => /\?\s*\{\}\s*:|:\s*\{\}\s*$|&&\s*\{[^]*\}\s*$/.test(inner));
}

function inParentheses(text: string, open: number) {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')' && --depth === 0) return text.slice(open + 1, at);
  }
  return '';
}

function localLinks(page: string) {
  const targets = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)/g);
  return [...targets].map(([, target]) => new URL(target!, `file:///${page}`).pathname.slice(1));
}
