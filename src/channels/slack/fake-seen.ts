/** What a person sees of a message in the fake Slack, and how its requests are parsed and signed. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { present } from '../../sdk/index.ts';
import type { Seen } from '../../testing/channel-platform.ts';
import { emojiOf } from './emoji.ts';
import type { Stored } from './workspace/fake.ts';

export const SIGNING_SECRET = 'test-signing-secret';

export type Headers = Readonly<Record<string, string>>;

/** Headers Slack proves itself with. */
export function signed(body: string, { secret = SIGNING_SECRET, at = Math.floor(Date.now() / 1000) } = {}): Headers {
  return {
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`,
  };
}

export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

export function seenAs({ ts, text, thread_ts, files: [file], reactions }: Stored): Seen {
  const shown = text
    .replaceAll(/<[^|<>\n]+\|([^<>\n]+)>/g, '$1')
    .replaceAll(/<(https?:[^<>\n]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return {
    id: ts,
    text: shown,
    raw: text,
    ...present({
      threadId: thread_ts || undefined,
      file: file ? { name: file.name, mime: file.mimetype, size: file.size, voice: false } : undefined,
    }),
    reactions: Array.from(reactions)
      .filter(([, users]) => users.size > 0)
      .map(([name]) => emojiOf(name)),
  };
}

/** The value of the button of that name in what was sent last. */
export function buttonIn(calls: readonly { readonly args: Readonly<Record<string, string>> }[], label: string): string {
  const [attachment] = JSON.parse(calls.findLast(({ args }) => args['attachments'])!.args['attachments']!);
  return attachment.blocks[0].elements
    .flatMap((one: { options?: object[] }) => one.options ?? [one])
    .find((one: { text: { text: string } }) => one.text.text === label).value;
}
