/** Adds files to a message: checks limits, and reads them. Loaded after the page is shown. */
import { bytesText } from '../elements/times.ts';
import type { Policy } from './attachments.ts';
import type { OutgoingFile } from './outbox.ts';

/**
 * The maximum size of all files of a message in bytes: the limit of the gateway, and what fits into a frame as base64.
 */
export const capacityOf = ({ maxPayload, attachments }: Policy): number =>
  Math.min(attachments?.maxBytes ?? Number.POSITIVE_INFINITY, Math.floor((maxPayload - 64 * 1024) * 0.74));

/** Why a file cannot be added to `files`, or undefined when it can. */
export function refusalOf(
  file: { readonly name: string; readonly size: number },
  files: readonly OutgoingFile[],
  policy: Policy,
): string | undefined {
  const name = file.name || 'This file';
  const capacity = capacityOf(policy);
  const room = capacity - files.reduce((bytes, { bytes: more }) => bytes + more, 0);
  if (file.size === 0) return `${name} is empty.`;
  if (file.size > capacity)
    return `${name} is too large: ${bytesText(file.size)}, the limit per message is ${bytesText(capacity)}.`;
  return file.size > room
    ? `${name} (${bytesText(file.size)}) does not fit: ${bytesText(room)} of ${bytesText(capacity)} left. Send ` +
        'it in a separate message.'
    : undefined;
}

/** Rejects with the browser's `DOMException` for an unreadable file, such as a folder. */
export function readFile(file: File): Promise<OutgoingFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({
        src: String(reader.result),
        mime: bareType(file.type),
        name: file.name || 'pasted file',
        bytes: file.size,
      });
    reader.onerror = () => reject(reader.error ?? new Error(`could not read ${file.name}`));
    reader.readAsDataURL(file);
  });
}

const bareType = (type: string): string => type.split(';')[0]!.trim() || 'application/octet-stream';
