/** Shares the compile cache between gateways that tests start as processes. */

/** Part of a child's environment; `npm test` sets the folder. */
export const compileCache: Readonly<Record<string, string>> =
  process.env['NODE_COMPILE_CACHE'] === undefined ? {} : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
