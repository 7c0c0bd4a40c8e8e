/** Reads an email: sender, date, subject, text, and the list of attachments. */
import type { Address } from 'postal-mime';
import { present } from '../../core/present.ts';
import type { Reading, ReadQuestion } from '../document.ts';

export async function readMail({ bytes, maxChars }: ReadQuestion, mime: string): Promise<Reading> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50 });
  const facts = [
    line('From', mail.from ? people([mail.from]) : undefined),
    line('To', people(mail.to)),
    line('Cc', people(mail.cc)),
    line('Subject', mail.subject),
    line('Date', mail.date),
  ];
  const words = mail.text?.trim() || (mail.html ? await markdownOf(mail.html, maxChars) : '');
  const attached = mail.attachments.map(
    ({ filename, mimeType, content }) =>
      `- ${filename ?? 'without a name'} (${mimeType}, ` +
      `${typeof content === 'string' ? content.length : content.byteLength} bytes)`,
  );
  const text = [
    facts.filter(Boolean).join('\n'),
    words,
    attached.length > 0 ? `Attached, not read:\n${attached.join('\n')}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
  return {
    kind: 'mail',
    mime,
    ...present({
      title: mail.subject || undefined,
      author: mail.from ? people([mail.from])! : undefined,
      date: mail.date || undefined,
    }),
    text,
  };
}

const markdownOf = async (html: string, maxChars: number): Promise<string> =>
  (await import('../html/html-to-markdown.ts')).htmlToMarkdown(html, { maxChars, whole: true }).markdown;

const line = (name: string, value: string | undefined): string =>
  value ? `${name}: ${value.replaceAll(/\s+/g, ' ')}` : '';

function people(addresses: readonly Address[] | undefined): string | undefined {
  return addresses
    ?.map(({ name, address, group }) =>
      group ? `${name}: ${people(group) ?? ''}` : name ? `${name} <${address}>` : address,
    )
    .join(', ');
}
