/** What a person sees of a message in the fake Discord, and how multipart requests are parsed. */
import type { IncomingMessage } from 'node:http';
import { present } from '../../sdk/index.ts';
import type { Said, Seen } from '../../testing/channel-platform.ts';

export async function bodyOf(
  request: IncomingMessage,
  raw: Buffer,
): Promise<{ body: any; parts: NonNullable<Said['file']>[] }> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return { body: raw.length > 0 ? JSON.parse(raw.toString()) : {}, parts: [] };
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData();
  const parts: NonNullable<Said['file']>[] = [];
  for (const [key, value] of form)
    if (key.startsWith('files[') && typeof value !== 'string')
      parts.push({ name: value.name, mime: value.type, data: new Uint8Array(await value.arrayBuffer()) });
  return { body: JSON.parse(String(form.get('payload_json') ?? '{}')), parts };
}

/** What people read: without the marks. */
export function shownOf(message: any, channel: any): Seen {
  const text = (message.content as string)
    .replace(/```\w*\n?/g, '')
    .replace(/\[([^\]]+)\]\(<?[^)]+>?\)/g, '$1')
    .replace(/(?<!\\)(\*\*|~~|`)/g, '')
    .replace(/\\([\\*_`~|>#<-])/g, '$1');
  const [file] = message.attachments;
  return {
    id: message.id,
    text,
    raw: message.content,
    reactions: (message.reactions ?? []).map((one: any) => one.emoji.name),
    ...(message.message_reference ? { replyTo: message.message_reference.message_id } : {}),
    ...(channel?.type === 11 ? { threadId: channel.id } : {}),
    ...present({
      file: file
        ? {
            name: file.filename,
            mime: file.content_type,
            size: file.size,
            voice: (message.flags & (1 << 13)) !== 0,
          }
        : undefined,
    }),
  };
}

/** The data of the button of that name in what was sent last. */
export function buttonIn(calls: readonly { readonly body: any }[], label: string): object {
  const rows: readonly any[] = calls.findLast(({ body }) => body?.components)?.body.components ?? [];
  const parts = rows.flatMap(({ components }) => components);
  const menu = parts.find(({ options = [] }) => options.some((one: { label: string }) => one.label === label));
  if (menu) {
    const { value } = menu.options.find((one: { label: string }) => one.label === label);
    return { component_type: 3, custom_id: menu.custom_id, values: [value] };
  }
  return { component_type: 2, custom_id: parts.find((one) => one.label === label).custom_id };
}
