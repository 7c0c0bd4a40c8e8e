/** How the command line is typed, for hints of plugins. */
export { PUBLIC_COMMAND } from '../platform/own-command.ts';
