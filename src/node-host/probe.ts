/** Probes the functions of this machine: working ones are offered to the gateway, the others have a reason. */
import { offerCamera } from './commands/camera.ts';
import { offerCanvas } from './commands/canvas/offer-canvas.ts';
import { offerLocation } from './commands/location/offer-location.ts';
import { offerNotify } from './commands/notify.ts';
import { offerScreen } from './commands/screen/offer-screen.ts';
import { offerSystem } from './commands/system.ts';
import type { NodeMachine, Offer, OfferMore } from './offer.ts';

/** All parts of a machine as one. */
export interface Abilities extends Omit<Offer, 'cap' | 'close'> {
  readonly caps: readonly string[];
  close(): Promise<void>;
}

/** It shows who asked, so the gateway tells it. */
const OWN_CAPS = ['requester'];

const PROBED: readonly OfferMore[] = [offerNotify, offerCamera, offerScreen, offerLocation, offerCanvas];

export async function probe(machine: NodeMachine, more: readonly OfferMore[] = []): Promise<Abilities> {
  const offers = [offerSystem(machine), ...(await Promise.all([...PROBED, ...more].map((offer) => offer(machine))))];
  return {
    caps: [...OWN_CAPS, ...offers.filter(({ commands }) => Object.keys(commands).length > 0).map(({ cap }) => cap)],
    commands: Object.assign({}, ...offers.map(({ commands }) => commands)) as Offer['commands'],
    unavailable: Object.assign({}, ...offers.map(({ unavailable }) => unavailable)) as Offer['unavailable'],
    permissions: Object.assign({}, ...offers.map(({ permissions }) => permissions)) as Offer['permissions'],
    close: async () => void (await Promise.all(offers.map((one) => one.close?.()))),
  };
}
