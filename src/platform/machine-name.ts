/** Names the machine or container: process numbers mean nothing elsewhere. */
import { hostname } from 'node:os';

export const machineName = (): string => hostname();
