/** The parts of a mail out of its structure: which one is its text, and which are files. Pure. */
import type { MessageStructureObject } from 'imapflow';
import { present, type Attachment } from '../../sdk/index.ts';

export interface MailParts {
  readonly text?: { readonly part: string; readonly html: boolean };
  readonly files: readonly MailFile[];
}

export interface MailFile {
  readonly part: string;
  readonly kind: Attachment['kind'];
  readonly mime: string;
  readonly name?: string;
  readonly size?: number;
}

const MAX_PARTS = 200;
const MAX_FILES = 20;
/** Signatures and what only programs read. */
const UNREAD = /^application\/(?:pgp-(?:signature|encrypted|keys)|(?:x-)?pkcs7-signature)$/;
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/;

export function partsOf(root: MessageStructureObject): MailParts {
  const leaves: { readonly node: MessageStructureObject; readonly part: string }[] = [];
  const waiting: MessageStructureObject[] = [root];
  for (let count = 0; waiting.length > 0 && count < MAX_PARTS; count++) {
    const node = waiting.shift()!;
    // A mail in a mail is a file: its words are somebody else's.
    if (node.childNodes && node.type !== 'message/rfc822') waiting.unshift(...node.childNodes);
    else leaves.push({ node, part: node.part ?? '1' });
  }
  const isText = ({ node }: (typeof leaves)[number]): boolean =>
    (node.type === 'text/plain' || node.type === 'text/html') &&
    node.disposition !== 'attachment' &&
    nameOf(node) === undefined;
  const texts = leaves.filter(isText);
  const text = texts.find(({ node }) => node.type === 'text/plain') ?? texts[0];
  return {
    // Of a mail that is nothing but its text, this name of it saves asking for its structure once more.
    ...present({
      text: text && { part: root.childNodes ? text.part : 'TEXT', html: text.node.type === 'text/html' },
    }),
    files: leaves
      .filter((leaf) => !isText(leaf) && !UNREAD.test(leaf.node.type))
      .slice(0, MAX_FILES)
      .map(fileOf),
  };
}

function fileOf({ node, part }: { readonly node: MessageStructureObject; readonly part: string }): MailFile {
  const type = node.type.toLowerCase();
  const mime = TYPE.test(type) ? type : 'application/octet-stream';
  const name = nameOf(node) ?? (type === 'message/rfc822' ? 'message.eml' : undefined);
  // In base64 four characters are three bytes.
  const size =
    node.size === undefined ? undefined : node.encoding === 'base64' ? Math.floor(node.size * 0.73) : node.size;
  return { part, kind: kindOf(mime), mime, ...present({ name, size }) };
}

const kindOf = (mime: string): Attachment['kind'] =>
  /^(?:image|audio|video)\//.test(mime) ? (mime.slice(0, 5) as 'image' | 'audio' | 'video') : 'document';

function nameOf({ dispositionParameters, parameters }: MessageStructureObject): string | undefined {
  const name = (dispositionParameters?.['filename'] ?? parameters?.['name'] ?? '').replace(
    /[\u0000-\u001f\u007f/\\]/g,
    '_',
  );
  return name === '' ? undefined : name.slice(0, 200);
}
