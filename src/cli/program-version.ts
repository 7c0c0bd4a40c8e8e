/** The version of the program, and its path. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Two folders up from the source and from the compiled file alike. */
const PACKAGE = '../../package.json';

export const programVersion = (): string => (createRequire(import.meta.url)(PACKAGE) as { version: string }).version;

export const programFolder = (): string => dirname(createRequire(import.meta.url).resolve(PACKAGE));
