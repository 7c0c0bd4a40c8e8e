/** The limit of concurrent exchanges. */
import type { Exchange } from './exchange.ts';

/** Of one session and kind at the same time. */
export const MAX_GOING = 32;

export const tooMany = (kind: Exchange['kind']): string =>
  `${MAX_GOING} ` +
  `${kind === 'spawn' ? 'sub-agents of this session are running' : 'messages of this session are in progress'}; ` +
  'wait until some are done.';
