/** Attachments of a message that is being sent. */
import type { AttachmentParams } from '../../../src/protocol/chat.ts';
import type { Hello } from '../gateway/wire.ts';
import { kindOf } from './file-kind.ts';
import type { OutgoingFile } from './outbox.ts';

export interface Policy {
  readonly maxPayload: number;
  readonly attachments?: Pick<Hello['policy']['attachments'], 'maxBytes'>;
}

/** The default until the gateway has sent its limits. */
export const USUAL_POLICY: Policy = { maxPayload: 25 * 1024 * 1024 };

/** The attachment of `chat.send` for a file. */
export const toAttachment = (file: OutgoingFile): AttachmentParams => ({
  type: kindOf(file),
  mimeType: file.mime,
  fileName: file.name,
  ...(file.recorded ? { recorded: true } : {}),
  content: file.src.slice(file.src.indexOf(',') + 1),
});
