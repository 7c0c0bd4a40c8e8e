/**
 * Measures the form of the code, without tests, fakes and harnesses, for the table in `docs/design/architecture.md`:
 *   node scripts/measure.mjs
 */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { namesUsedEarly } from '../test/shape/names-used-early.ts';
import { exportCount, undocumentedExports } from '../test/shape/undocumented-exports.ts';
import { script } from './progress.mjs';

const MAX_FUNCTION_LINES = 80;

await script(() => {
  const files = read('src/**/*.ts', 'ui/src/**/*.ts');
  const lines = files.flatMap(({ text }) => text.trimEnd().split('\n'));
  const lengths = files.map(({ text }) => text.trimEnd().split('\n').length).sort((a, b) => a - b);
  const at = (share) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))];
  const app = files.filter(({ path }) => path.startsWith('src/app/'));
  const shown = read('src/{core,sdk,protocol,platform,host}/**/*.ts', 'src/features/*/index.ts');
  const exported = shown.reduce((sum, { path, text }) => sum + exportCount(path, text), 0);
  const missing = shown.flatMap(({ path, text }) => undocumentedExports(path, text)).length;
  console.table({
    files: files.length,
    lines: lines.length,
    'lines of a file: median, 95 %, most': `${at(0.5)}, ${at(0.95)}, ${lengths.at(-1)}`,
    'lines over 120 columns': lines.filter((line) => line.length > 120).length,
    'lines over 140 columns': lines.filter((line) => line.length > 140).length,
    [`functions over ${MAX_FUNCTION_LINES} lines`]: files.flatMap(longFunctions).length,
    'public exports, without a docstring': `${exported}, ${missing}`,
    'names used above their definition': files.flatMap(({ path, text }) => namesUsedEarly(path, text)).length,
    'src/app: files, lines': `${app.length}, ${app.flatMap(({ text }) => text.trimEnd().split('\n')).length}`,
  });
});

function read(...patterns) {
  return globSync(patterns)
    .filter((path) => !/\.test\.ts$|\/fake[^/]*\.ts$|\/harness\.ts$|^src\/testing\//.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** Functions with more lines than lint allows; blank lines and comments count here, too. */
function longFunctions({ path, text }) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body)
      if (lineAt(node.end) - lineAt(node.getStart(source)) + 1 > MAX_FUNCTION_LINES) found.push(path);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
