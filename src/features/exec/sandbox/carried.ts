/**
 * Passes variables under neutral names, so that programs outside and the loader do not read variables meant for the
 * sandbox. Pure.
 */

const CARRIER = 'SANDBOXED_';

/** For the environment of what starts the box; there alone nobody else on the machine reads the values. */
export const carried = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [carrierOf(name), value]));

export const carrierOf = (name: string): string => `${CARRIER}${name}`;

/**
 * For a shell inside: gives one its own name. `behind`: text between quotes that follows the value. Nothing in it comes
 * from a value.
 */
export const unpacked = (name: string, behind = ''): string =>
  `export ${name}="$${carrierOf(name)}${behind}"; unset ${carrierOf(name)}`;
