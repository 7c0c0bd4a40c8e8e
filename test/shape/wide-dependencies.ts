/**
 * Finds objects of dependencies that hold more than one person keeps in mind: interfaces and types named `…Deps`,
 * `…Dependencies` or `Host`. What they extend and pick counts: the checker of the compiler says which fields there are.
 */
import ts from 'typescript';

const NAMED = /(Deps|Dependencies|^Host)$/;

/** `path name (fields)` of each with more than `max`. */
export function wideDependencies(paths: readonly string[], max: number): readonly string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram([...paths], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  return paths.flatMap((path) => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && NAMED.test(node.name.text)) {
        const fields = checker.getTypeAtLocation(node.name).getProperties().length;
        if (fields > max) found.push(`${path} ${node.name.text} (${fields})`);
      }
      ts.forEachChild(node, visit);
    };
    visit(program.getSourceFile(path)!);
    return found;
  });
}
