/** Loaded after the tests of a batch: ends the process after them, whatever they left open, such as a browser. */
import { after } from 'node:test';

after(() => setImmediate(() => process.exit()));
