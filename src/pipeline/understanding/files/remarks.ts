/** The words for documents that gave no text: one sentence for the agent, one for the person. */
import type { Note } from '../../../core/understanding.ts';
import type { AttachmentFile } from '../attachments.ts';

export type FileTrouble =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'limit'; readonly because: string }
  | { readonly kind: 'unsupported' | 'unreadable'; readonly mime: string; readonly because: string };

export function remarkOnFile({ index, name }: Pick<AttachmentFile, 'index' | 'name'>, trouble: FileTrouble): Note {
  const called = `"${inert(name)}"`;
  return { kind: 'remark', attachment: index, text: `[${forAgent(called, trouble)}]`, tell: `I could not read ${called}: ${forPerson(trouble)}.` };
}

function forAgent(called: string, trouble: FileTrouble): string {
  switch (trouble.kind) {
    case 'disabled': return `Attachment ${called} not read: reading files is disabled`;
    case 'limit': return `Attachment ${called} skipped: ${inert(trouble.because)}`;
    case 'unsupported': return `Unsupported document format: ${inert(trouble.mime)}, attachment ${called}. ${inert(trouble.because)}`;
    case 'unreadable': return `Attachment ${called} could not be read: ${inert(trouble.because)}`;
  }
}

const forPerson = (trouble: FileTrouble): string => (trouble.kind === 'disabled' ? 'reading files is switched off' : inert(trouble.because).replace(/[.\s]+$/, ''));

/** Names and error texts come from outside: one line, no tags, and nothing that closes the brackets or quotes around them. */
const inert = (text: string): string => text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[[<]/g, '(').replace(/[\]>]/g, ')').replaceAll('"', "'").trim();
