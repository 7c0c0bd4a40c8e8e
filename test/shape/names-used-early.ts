/**
 * Finds names that are used above the line that defines them, in the same function: also inside closures, where they
 * work only because somebody calls later. Functions and types may stand anywhere, and so may what a module defines.
 */
import ts from 'typescript';

interface Scope {
  readonly names: Map<string, number>;
  /** What a module defines is there before anybody calls. */
  readonly isModule: boolean;
}

/** `name (line)` of each, in order. */
export function namesUsedEarly(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];

  const resolve = (node: ts.Identifier, scopes: readonly Scope[]): void => {
    const scope = scopes.findLast(({ names }) => names.has(node.text));
    if (!scope || scope.isModule || scope.names.get(node.text)! <= node.getStart(source)) return;
    found.push(`${node.text} (${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1})`);
  };

  const visit = (node: ts.Node, scopes: readonly Scope[]): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isIdentifier(node)) return isReference(node) ? resolve(node, scopes) : undefined;
    const inner = opensScope(node) ? [...scopes, scopeOf(node, ts.isSourceFile(node))] : scopes;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, []);
  return found;
}

const opensScope = (node: ts.Node): boolean =>
  ts.isSourceFile(node) ||
  ts.isFunctionLike(node) ||
  ts.isBlock(node) ||
  ts.isForStatement(node) ||
  ts.isForOfStatement(node) ||
  ts.isForInStatement(node) ||
  ts.isCatchClause(node) ||
  ts.isCaseBlock(node) ||
  ts.isModuleBlock(node);

/** The names a scope defines itself, with where each does; what is there from the beginning is at 0. */
function scopeOf(scope: ts.Node, isModule: boolean): Scope {
  const names = new Map<string, number>();
  const define = (name: ts.BindingName | undefined, early: boolean): void => {
    if (!name) return;
    if (ts.isIdentifier(name)) return void names.set(name.text, early ? 0 : name.getStart());
    for (const element of name.elements) if (ts.isBindingElement(element)) define(element.name, early);
  };
  const collect = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node)) define(node.name, ts.isCatchClause(node.parent));
    if (ts.isParameter(node)) define(node.name, true);
    if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) define(node.name, true);
    if (!opensScope(node)) ts.forEachChild(node, collect);
  };
  if (ts.isFunctionExpression(scope)) define(scope.name, true);
  ts.forEachChild(scope, collect);
  return { names, isModule };
}

/** Neither the name of a property nor one that is being defined. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isFunctionDeclaration(parent) || ts.isFunctionExpression(parent) || ts.isClassLike(parent)) return false;
  if (ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isAccessor(parent))
    return ts.isPropertyDeclaration(parent) && parent.initializer === node;
  return !ts.isImportSpecifier(parent) && !ts.isExportSpecifier(parent) && !ts.isLabeledStatement(parent);
}
