/** Removes secrets from text for logs and screens: by field name, by format, in URLs, in arguments. */
import { secretAddresses } from './redaction/addresses.ts';
import { secretArguments } from './redaction/arguments.ts';
import { keyShapes } from './redaction/key-shapes.ts';
import { namedSecrets } from './redaction/named-secrets.ts';

export { maskSecret } from './redaction/mask.ts';

/**
 * The text with every secret it seems to carry masked; text without a hint of one comes back as it is, after one look
 * for each kind.
 */
export const redactText = (text: string): string => secretArguments(namedSecrets(keyShapes(secretAddresses(text))));
