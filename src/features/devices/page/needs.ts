/** The devices that wait for approval, for "Needs you" on the overview. */
import type { Need } from '../../../../ui/src/pages/needs.ts';
import type { Answers } from '../../../protocol/answers.ts';

export const need: Need<Answers['device.pair.list']> = {
  method: 'device.pair.list',
  events: 'device.pair',
  what: 'device',
  icon: 'devices',
  page: 'devices',
  count: ({ pending }) => pending.length,
};
