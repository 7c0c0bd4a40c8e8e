/** Builds the text that a device signs to prove that it has its key and answers this challenge. */

/** What the signed text is made of. */
export interface DeviceProof {
  readonly deviceId: string;
  readonly clientId: string;
  readonly clientMode: string;
  readonly role: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
  /** The shared or device token sent along, empty when there is none. */
  readonly token: string;
  readonly nonce: string;
  readonly platform?: string | undefined;
  readonly deviceFamily?: string | undefined;
}

const fields = (proof: DeviceProof): string[] => [
  proof.deviceId,
  proof.clientId,
  proof.clientMode,
  proof.role,
  proof.scopes.join(','),
  String(proof.signedAt),
  proof.token,
  proof.nonce,
];

// Only ASCII letters are lowered, so that every language computes the same bytes.
const plain = (text: string | undefined): string =>
  (text ?? '').trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What devices of the second version sign. */
export const proofTextV2 = (proof: DeviceProof): string => ['v2', ...fields(proof)].join('|');

/** Also covers platform and device family. */
export const proofTextV3 = (proof: DeviceProof): string =>
  ['v3', ...fields(proof), plain(proof.platform), plain(proof.deviceFamily)].join('|');
