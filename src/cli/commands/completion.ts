/** `completion`: prints the shell completion script. */
import { nearest } from '../../config/suggest.ts';
import { AppError } from '../../core/errors.ts';
import { PRODUCT } from '../../core/product.ts';
import type { Call, Command } from '../command.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { placesOf } from '../completion/tree.ts';
import { zshScript } from '../completion/zsh.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const completion =
  (commands: readonly Command[]) =>
  async ({ args, io }: Call): Promise<void> => {
    const name = args[0]!.toLowerCase();
    const script = Object.hasOwn(SHELLS, name) ? SHELLS[name as keyof typeof SHELLS] : undefined;
    if (!script) {
      const near = nearest(name, Object.keys(SHELLS));
      throw new AppError(
        'invalid',
        `No completion script for "${args[0]}".${near === undefined ? '' : ` Did you mean ${near}?`} Shells: ` +
          `${Object.keys(SHELLS).join(', ')}.`,
      );
    }
    const env = io.env();
    // What only this installation knows, its channels, is completed too; asked once, for all commands ask the same.
    const table = await Promise.all(
      commands.map(async (row) => ({ ...row, options: { ...row.options, ...(await row.more?.(env)) } })),
    );
    io.out(script(PRODUCT, placesOf(table)).trimEnd());
  };
