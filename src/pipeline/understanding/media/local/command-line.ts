/** Reads options out of a command line in the spellings people use: `-o X`, `--output X`, `--output=X`, `-f=X`. */

/** Whether one of `names` is given, with or without a value. */
export function hasFlag(args: readonly string[], names: readonly string[]): boolean {
  return args.some((arg) => names.some((name) => arg === name || arg.startsWith(`${name}=`)));
}

/** The last value given to one of `names`; undefined when there is none. */
export function optionValue(args: readonly string[], names: readonly string[]): string | undefined {
  return args
    .flatMap((arg, at) => {
      if (names.includes(arg)) return args[at + 1] ?? [];
      const name = names.find((candidate) => arg.startsWith(`${candidate}=`));
      return name === undefined ? [] : arg.slice(name.length + 1);
    })
    .at(-1);
}
