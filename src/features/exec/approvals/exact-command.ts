/** Permissions for one exact command: the format of `argPattern`, and matching. Pure. */
import { sha256Hex } from '../../../platform/ids.ts';

export interface ExactCommand {
  /** Absolute real path: the same words in another folder may mean another script. Undefined: nobody knows yet. */
  readonly cwd?: string | undefined;
  /** The program's name as written comes first and does not count; its path is compared elsewhere. */
  readonly argv: readonly string[];
}

const OURS = 'exact:sha256:';
const NO_ARGS = '\0\0';

/** A digest, so that what stands in the arguments is not kept in the file. */
export const exactly = ({ cwd, argv }: ExactCommand & { readonly cwd: string }): string =>
  OURS + sha256Hex(JSON.stringify([cwd, argv.slice(1)]));

/**
 * Also takes the form other programs of the product family write: `^` + the arguments as a literal regular expression,
 * a zero
 * character behind each + `$` (two zero characters for none). Any other expression covers nothing: what is not exact is
 * no permission.
 */
export function isExactly(argPattern: string, command: ExactCommand): boolean {
  if (argPattern.startsWith(OURS))
    return command.cwd !== undefined && argPattern === exactly({ ...command, cwd: command.cwd });
  const literal = literalOf(argPattern);
  if (literal === undefined) return false;
  const args = command.argv.slice(1);
  // Two empty arguments would read the same as none.
  return literal === NO_ARGS ? args.length === 0 : literal === args.map((arg) => `${arg}\0`).join('');
}

/** The text an expression stands for when it stands for one text only. */
function literalOf(expression: string): string | undefined {
  const inside = /^\^((?:[^\\.*+?^${}()|[\]]|\\[^A-Za-z0-9])*\0)\$$/.exec(expression)?.[1];
  return inside?.replace(/\\([^])/g, '$1');
}
