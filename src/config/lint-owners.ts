/** Entries of `commands.ownerAllowFrom` that name nobody. */
import type { Issue } from './store.ts';

interface NamesOwners {
  readonly commands?: { readonly ownerAllowFrom?: readonly string[] | undefined } | undefined;
}

export function lintOwners({ commands }: NamesOwners): readonly Issue[] {
  return (commands?.ownerAllowFrom ?? []).flatMap((entry, index) => {
    const problem = whatIsWrong(entry.trim());
    return problem === undefined
      ? []
      : [
          {
            path: `commands.ownerAllowFrom[${index}]`,
            problem,
            fix: 'Write channel:senderId, e.g. "telegram:123456"; /whoami tells it.',
          },
        ];
  });
}

function whatIsWrong(entry: string): string | undefined {
  const [, id] = /^[a-z][\w-]*:(.*)$/is.exec(entry) ?? [];
  if (id === undefined || id.trim() === '') return 'names no channel, so it matches nobody';
  if (id.trim() === '*') return 'names everybody, which makes nobody the owner';
  return id.trim().startsWith('@') ? 'is a handle; handles can change hands, so it matches nobody' : undefined;
}
