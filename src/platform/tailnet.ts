/** Finds this machine's address on a Tailscale network. */
import { networkInterfaces } from 'node:os';

/** The first IPv4 address in 100.64.0.0/10, the range that Tailscale assigns; undefined if there is none. */
export function tailnetAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, address }) => family === 'IPv4' && inTailnet(address))?.address;
}

function inTailnet(address: string): boolean {
  const [first, second] = address.split('.').map(Number);
  return first === 100 && second !== undefined && second >= 64 && second < 128;
}
