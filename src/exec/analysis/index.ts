/** The front door of the shell analysis; loaded when the first command is asked for. */
export { analyse } from './analyse.ts';
export { describe } from './describe.ts';
export { createWorld } from './machine-world.ts';
