/**
 * Finds names that are used above their definition in the same function, also inside closures, which work only because
 * they are called later. A function declaration may be below its users, but counts as if it were at its first use: what
 * it uses must be defined by then. Types and module-level names may be anywhere.
 */
import ts from 'typescript';

interface Scope {
  readonly names: Map<string, number>;
  /** What a module defines is there before anybody calls. */
  readonly isModule: boolean;
}

/** A function declaration inside a function: there from the beginning, wherever it stands. */
interface Hoisted {
  readonly name: string;
  readonly scope: Scope;
}

interface Use {
  readonly name: string;
  readonly at: number;
  readonly scope: Scope;
  /** The declarations around it that the scope of the name holds, directly or deeper: it is used when they are. */
  readonly within: readonly Hoisted[];
}

/** `name (line)` of each, in order. */
export function namesUsedEarly(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const uses = usesIn(source);
  const firstUse = firstUses(uses);
  return uses
    .filter((use) => use.scope.names.get(use.name)! > usedAt(use, firstUse))
    .map(({ name, at }) => `${name} (${source.getLineAndCharacterOfPosition(at).line + 1})`);
}

function usesIn(source: ts.SourceFile): readonly Use[] {
  const uses: Use[] = [];
  const resolve = (node: ts.Identifier, scopes: readonly Scope[], within: readonly Hoisted[]): void => {
    const scope = scopes.findLast(({ names }) => names.has(node.text));
    if (!scope || scope.isModule) return;
    const depth = scopes.indexOf(scope);
    const inside = within.filter((one) => scopes.indexOf(one.scope) >= depth);
    uses.push({ name: node.text, at: node.getStart(source), scope, within: inside });
  };
  const visit = (node: ts.Node, scopes: readonly Scope[], within: readonly Hoisted[]): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isIdentifier(node)) return isReference(node) ? resolve(node, scopes, within) : undefined;
    const inner = opensScope(node) ? [...scopes, scopeOf(node, ts.isSourceFile(node))] : scopes;
    const scope = scopes.at(-1);
    const hoisted =
      ts.isFunctionDeclaration(node) && node.name && scope && !scope.isModule
        ? [...within, { name: node.name.text, scope }]
        : within;
    ts.forEachChild(node, (child) => visit(child, inner, hoisted));
  };
  visit(source, [], []);
  return uses;
}

type FirstUses = ReadonlyMap<Scope, ReadonlyMap<string, number>>;

/** Where each name is first used, with what follows from functions that are named before they stand there. */
function firstUses(uses: readonly Use[]): FirstUses {
  const first = new Map<Scope, Map<string, number>>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const use of uses) {
      const known = first.get(use.scope) ?? new Map<string, number>();
      first.set(use.scope, known);
      const at = usedAt(use, first);
      if (at >= (known.get(use.name) ?? Infinity)) continue;
      known.set(use.name, at);
      changed = true;
    }
  }
  return first;
}

const usedAt = ({ at, within }: Use, first: FirstUses): number =>
  Math.min(at, ...within.map(({ name, scope }) => first.get(scope)?.get(name) ?? at));

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
    if (ts.isFunctionDeclaration(node)) define(node.name, true);
    if (ts.isClassDeclaration(node)) define(node.name, false);
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
