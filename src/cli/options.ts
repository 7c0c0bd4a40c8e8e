/** Options that many commands share. */
import type { Option } from './command.ts';

export const flag = (help: string): Option => ({ kind: 'flag', help });
export const text = (value: string, help: string): Option => ({ kind: 'text', value, help });
export const number = (value: string, help: string): Option => ({ kind: 'number', value, help });

/** For commands that talk to a running gateway. */
export const client = {
  url: text('<url>', 'Gateway URL. Default: the gateway in the configuration.'),
  token: text('<token>', 'Gateway token. Default: from the environment or the configuration.'),
};
export const json = { json: flag('Print only JSON.') };
