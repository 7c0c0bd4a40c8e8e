/** Finds exports without a docstring: functions, classes, interfaces, types and values. */
import ts from 'typescript';

/**
 * `path:line name` of each export without a docstring. The sentence that opens a file is about the file: where nothing
 * stands between it and the first export, that export needs a second one. What is exported from elsewhere, and a
 * default export, which is what its file is about, need none here.
 */
export function undocumentedExports(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const exportedBelow = new Set(source.statements.flatMap(namesExportedBelow));
  const documented = new Set<string>();
  const found: string[] = [];
  for (const statement of source.statements)
    for (const name of namesDeclared(statement)) {
      if (!isExported(statement) && !exportedBelow.has(name)) continue;
      // Overloads, and a type with its value's name, share what the first of them says.
      if (hasDocstring(statement, source)) documented.add(name);
      else if (!documented.has(name)) found.push(`${path}:${lineOf(statement, source)} ${name}`);
    }
  return found;
}

/** How many exports a file declares, documented or not. */
export function exportCount(path: string, text: string): number {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const exportedBelow = new Set(source.statements.flatMap(namesExportedBelow));
  return source.statements.flatMap((statement) =>
    namesDeclared(statement).filter((name) => isExported(statement) || exportedBelow.has(name)),
  ).length;
}

/** Names in `export { a, b as c };` of the file's own. */
function namesExportedBelow(statement: ts.Statement): readonly string[] {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || !statement.exportClause) return [];
  if (!ts.isNamedExports(statement.exportClause)) return [];
  return statement.exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

function namesDeclared(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const isDeclaration =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isDeclaration && statement.name ? [statement.name.text] : [];
}

const boundNames = (name: ts.BindingName): readonly string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
  !(ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);

function hasDocstring(statement: ts.Statement, source: ts.SourceFile): boolean {
  const { pos } = statement;
  const comments = ts.getLeadingCommentRanges(source.text, pos) ?? [];
  const docstrings = comments.filter((comment) => source.text.startsWith('/**', comment.pos));
  const opensFile = source.text.slice(0, docstrings[0]?.pos ?? 0).trim() === '';
  return docstrings.length > (opensFile && pos === 0 ? 1 : 0);
}

const lineOf = (node: ts.Node, source: ts.SourceFile): number =>
  source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
