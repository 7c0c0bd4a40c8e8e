#!/usr/bin/env node
/** The installed command `clawdbot`. */
import { runCommand } from './runtime.mjs';

await runCommand('clawdbot', 'main');
