/** Finds the names a file declares: variables, parameters, functions, types and their members; not object keys. */
import ts from 'typescript';

/** In order, private ones without `#`. Keys of objects follow the type they are for, so they are not named here. */
export function declaredNames(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node };
    if (isDeclaration(node) && name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)))
      found.push(name.text.replace('#', ''));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `sentBefore` → `sent`, `before`; `atMost` is one word. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/at[-_]?most/gi, 'Bound')
    .match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)
    ?.map((word) => word.toLowerCase()) ?? [];

const isDeclaration = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isPropertySignature(node) ||
  ts.isMethodSignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isGetAccessorDeclaration(node);
