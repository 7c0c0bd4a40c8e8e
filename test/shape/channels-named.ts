/** Finds string literals that are the id of a channel, outside types: shared code decides by capabilities. */
import ts from 'typescript';

/** `path:line 'id'` of each, in order. */
export function channelsNamed(path: string, text: string, ids: readonly string[]): readonly string[] {
  if (!ids.some((id) => text.includes(id))) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if ((ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) && ids.includes(node.text))
      found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} '${node.text}'`);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && ids.includes(node.name.text))
      found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} ${node.name.text}:`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
