/** Keeps the device key of this machine in a private file. */
import { AppError } from '../../core/errors.ts';
import { readTextIfExists, writeFileAtomic } from '../../platform/files.ts';
import { createDeviceIdentity, deviceIdentityFromPem, type DeviceIdentity } from './identity.ts';

/**
 * Reads the PEM file, or makes a key and writes it (0600). A file that holds something else: `AppError('invalid')`,
 * never overwritten.
 */
export async function loadDeviceIdentity(path: string): Promise<DeviceIdentity> {
  const pem = await readTextIfExists(path);
  if (pem === undefined) {
    const identity = createDeviceIdentity();
    await writeFileAtomic(path, identity.privateKeyPem);
    return identity;
  }
  try {
    return deviceIdentityFromPem(pem);
  } catch (error) {
    throw new AppError(
      'invalid',
      `${path} is not an Ed25519 private key; move it away to get a new one (devices must then be approved again)`,
      { cause: error },
    );
  }
}
