/** The WhatsApp actions beyond those of every channel, as data. */
import type { ChannelAction } from '../../sdk/index.ts';

export const ACTIONS: readonly ChannelAction[] = [
  {
    name: 'location',
    summary: 'Send a place on the map',
    gate: 'location',
    reach: 'chat',
    parameters: {
      target: '',
      latitude: 'Degrees north, -90 to 90',
      longitude: 'Degrees east, -180 to 180',
      name: '',
      address: 'Address in words',
    },
    required: ['latitude', 'longitude'],
  },
  {
    name: 'contact',
    summary: 'Send a contact card',
    gate: 'contact',
    reach: 'chat',
    parameters: { target: '', name: '', phone: 'Phone number with its country code' },
    required: ['name', 'phone'],
  },
  {
    name: 'group-info',
    summary: 'Name, number of members and the first 200 members of a group',
    gate: 'groupInfo',
    reach: 'chat',
    readOnly: true,
    parameters: { target: '' },
  },
];
