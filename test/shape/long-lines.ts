/** Finds lines longer than 120 columns, and those that are long because of one literal. */
import ts from 'typescript';

/** Columns a line may have. */
export const MAX_COLUMNS = 120;

/**
 * `path:line` of each longer line. `literals`: without its longest string, template or regular expression, which the
 * formatter does not break, the line would fit. `others`: code and comments, which can be broken.
 */
export function longLines(path: string, text: string): Readonly<Record<'literals' | 'others', readonly string[]>> {
  const found = { literals: [] as string[], others: [] as string[] };
  const lines = text.split('\n');
  if (!lines.some((line) => line.length > MAX_COLUMNS)) return found;
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS,
  );
  const literals = literalRanges(source);
  lines.reduce((start, line, index) => {
    const end = start + line.length;
    if (line.length > MAX_COLUMNS) {
      const longest = Math.max(0, ...literals.map(([from, to]) => Math.min(to, end) - Math.max(from, start)));
      found[line.length - longest <= MAX_COLUMNS ? 'literals' : 'others'].push(`${path}:${index + 1}`);
    }
    return end + 1;
  }, 0);
  return found;
}

function literalRanges(source: ts.SourceFile): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  const visit = (node: ts.Node): void => {
    const isWhole =
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateExpression(node) ||
      ts.isRegularExpressionLiteral(node);
    if (isWhole) ranges.push([node.getStart(source), node.end]);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return ranges;
}
