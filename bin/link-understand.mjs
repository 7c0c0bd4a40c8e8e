#!/usr/bin/env node
/** The installed command `link-understand`. */
import { runCommand } from './runtime.mjs';

await runCommand('link-understand', 'link-understand/main');
