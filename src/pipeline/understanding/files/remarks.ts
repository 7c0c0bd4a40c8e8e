/** What the agent reads and what the person is told about a document that gave no text. */
import type { Note } from '../../../core/understanding.ts';
import type { DocumentRefusal } from '../../../documents/document.ts';
import type { AttachmentFile } from '../attachments.ts';
import { quotedName } from '../../../core/inert-line.ts';

type Remark = Extract<Note, { kind: 'remark' }>;

/** Why an attachment gave nothing. `reason` begins with a stable word, for the decision. */
export interface Failure {
  readonly reason: string;
  readonly note: Remark;
}

export const remarkOn = ({ index }: AttachmentFile, text: string, notify: string): Remark => ({
  kind: 'remark',
  attachment: index,
  text,
  tell: notify,
});

export function refused(file: AttachmentFile, { reason, mime, message }: DocumentRefusal): Failure {
  const name = quotedName(file);
  const notify = `I could not read ${name}. ${message}`;
  if (reason === 'unsupported' || reason === 'media')
    return {
      reason: `unsupported: ${mime}`,
      note: remarkOn(
        file,
        `[Unsupported document format: ${mime}. PDF and plain-text attachments can be read.] ${name}: ${message}`,
        notify,
      ),
    };
  return {
    reason: `${reason}: ${message}`,
    note: remarkOn(file, `[Attachment could not be read] ${name}: ${message}`, notify),
  };
}

export function fileUnavailable(file: AttachmentFile, why: string): Failure {
  const name = quotedName(file);
  return {
    reason: `unreadable: ${why}`,
    note: remarkOn(file, `[Attachment could not be read] ${name}: ${why}`, `I could not read ${name}: ${why}.`),
  };
}

export function tooLarge(file: AttachmentFile, limit: string): Failure {
  const name = quotedName(file);
  return {
    reason: `maxBytes: larger than ${limit}`,
    note: remarkOn(
      file,
      `[Attachment could not be read] ${name}: it is larger than ${limit}.`,
      `I did not read ${name}: it is larger than ${limit}.`,
    ),
  };
}

export function leftOut(
  file: AttachmentFile,
  { limit, why }: { readonly limit: string; readonly why: string },
): Failure {
  const name = quotedName(file);
  return {
    reason: limit,
    note: remarkOn(file, `[Attachment skipped: ${why}] ${name}`, `I did not read ${name}: ${why}.`),
  };
}
