/** Devices that may connect from elsewhere, and those that ask to. */
import { z } from 'zod';
import { ROLES } from '../../protocol/client-info.ts';
import { instant, list, text } from '../../protocol/answers/shapes.ts';

const facts = {
  deviceId: text,
  publicKey: text,
  displayName: text.optional(),
  platform: text.optional(),
  deviceFamily: text.optional(),
  clientId: text.optional(),
  clientMode: text.optional(),
  remoteIp: text.optional(),
};

const request = z.strictObject({
  ...facts,
  requestId: text,
  role: text,
  scopes: list(text),
  isRepair: z.boolean().describe('True: the device is already paired and requests more rights.'),
  ts: instant,
});
/** A device that asks to be paired. */
export type WirePairingRequest = z.output<typeof request>;

const device = z.strictObject({
  ...facts,
  roles: list(text),
  scopes: list(text),
  tokens: list(
    z.strictObject({ role: text, scopes: list(text), createdAtMs: instant, rotatedAtMs: instant.exactOptional() }),
  ),
  createdAtMs: instant,
  approvedAtMs: instant,
});
/** A paired device. */
export type WireDevice = z.output<typeof device>;

const role = z.enum(ROLES);

/** Answers of the methods about devices and their tokens. */
export const answers = {
  'device.pair.list': z.strictObject({ pending: list(request), paired: list(device) }),
  'device.pair.invite': z.strictObject({
    secret: text.describe('Lets one device in as a node, once. It goes into the fragment of an address.'),
    expiresAtMs: instant,
    addresses: list(
      z.strictObject({
        url: text,
        secure: z.boolean().describe('False: browsers give a page there no camera, microphone or location.'),
      }),
    ).describe('Where other devices reach the page of web nodes, as far as the configuration says.'),
  }),
  'device.pair.approve': z.strictObject({ requestId: text, device }),
  'device.pair.reject': z.strictObject({ requestId: text, deviceId: text }),
  'device.pair.remove': z.strictObject({ deviceId: text }),
  'device.token.rotate': z.strictObject({
    deviceId: text,
    role,
    token: text,
    tokenDelivery: z.literal('in-band'),
    scopes: list(text),
    rotatedAtMs: instant,
  }),
  'device.token.revoke': z.strictObject({ deviceId: text, role, revokedAtMs: instant }),
};

/** Payloads of the events of device pairing. */
export const payloads = {
  'device.pair.requested': request,
  'device.pair.resolved': z.strictObject({
    requestId: text,
    deviceId: text,
    decision: z.enum(['approved', 'rejected']),
    ts: instant,
  }),
};

type Answered = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };
type Payloads = { readonly [E in keyof typeof payloads]: z.output<(typeof payloads)[E]> };
declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends Answered {}
  interface FeatureEvents extends Payloads {}
}
