/**
 * Finds objects of dependencies with too many fields: interfaces and types named `…Deps`, `…Dependencies` or `Host`,
 * including what they extend and pick, by the compiler's type checker.
 */
import ts from 'typescript';

const NAMED = /(Deps|Dependencies|^Host)$/;

export interface Dependencies {
  /** Where, and the name of the type. */
  readonly at: string;
  readonly fields: number;
}

export function dependenciesIn(paths: readonly string[]): readonly Dependencies[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram([...paths], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  return paths.flatMap((path) => {
    const found: Dependencies[] = [];
    const visit = (node: ts.Node): void => {
      if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && NAMED.test(node.name.text)) {
        const { length: fields } = checker.getTypeAtLocation(node.name).getProperties();
        found.push({ at: `${path} ${node.name.text}`, fields });
      }
      ts.forEachChild(node, visit);
    };
    visit(program.getSourceFile(path)!);
    return found;
  });
}
