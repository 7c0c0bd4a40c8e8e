/** The addresses of this machine on the networks around it. */
import { networkInterfaces } from 'node:os';

/** IPv4, without those that only this machine knows. */
export const lanAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
