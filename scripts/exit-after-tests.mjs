/** Loaded after the tests of a batch: ends the process even if tests left something open, such as a browser. */
import { after } from 'node:test';
import { taken } from './processor-time.mjs';

after(() => {
  taken.ended = true;
  setImmediate(() => process.exit());
});
