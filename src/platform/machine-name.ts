/** Names the machine or container: process numbers mean nothing elsewhere. */
import { arch, hostname, platform } from 'node:os';

/** What this machine calls itself. */
export const machineName = (): string => hostname();

/** Operating system and processor: `linux x64`. */
export const systemName = (): string => `${platform()} ${arch()}`;
