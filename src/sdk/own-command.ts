/** The name of the installed command, for hints of plugins. */
export { PUBLIC_COMMAND } from '../platform/own-command.ts';
