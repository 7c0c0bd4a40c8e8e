/** Commands and events of one page, whichever connection carries them. */
import type { CDPSession } from 'playwright-core';

export type Commands = Pick<CDPSession, 'send' | 'on'>;
