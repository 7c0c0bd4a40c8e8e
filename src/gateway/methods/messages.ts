/** Serves `send`, `poll` and `message.action`: sends and channel actions without a turn. */
import { Buffer } from 'node:buffer';
import type { z } from 'zod';
import { present } from '../../core/present.ts';
import type { MediaRef } from '../../core/reply.ts';
import type { Answers } from '../../protocol/answers.ts';
import { messageActionParams, pollParams, sendParams } from '../../protocol/messages.ts';
import type { Sent } from '../../host/channel-services.ts';
import { method, refuse, sessionKeyOf, type Methods } from './method.ts';

export const messageMethods: Methods = {
  send: method({
    summary: 'Sends a text, files or both to a chat, without a turn.',
    needs: 'operator.write',
    params: sendParams,
    async run(params, call) {
      const { to, channel, accountId, threadId, sessionKey, idempotencyKey, asVoice, replyToId } = params;
      const text = params.message?.trim() ? params.message : undefined;
      const media = mediaOf(params);
      const files = fileOf(params);
      if (text === undefined && media.length + files.length === 0) throw refuse('send needs a message or a file');
      const sent = await call.services.channels.send({
        to,
        channel,
        accountId,
        threadId,
        text,
        media,
        files,
        asVoice,
        replyTo: replyToId,
        runId: idempotencyKey,
        ...present({ sessionKey: sessionKey ? sessionKeyOf(call, sessionKey) : undefined }),
      });
      return sentAnswer(idempotencyKey, sent);
    },
  }),

  poll: method({
    summary: 'Sends a poll to a chat.',
    needs: 'operator.admin',
    params: pollParams,
    async run(
      {
        to,
        channel,
        accountId,
        threadId,
        idempotencyKey,
        question,
        options,
        maxSelections = 1,
        durationHours,
        durationSeconds,
      },
      { services },
    ) {
      if (maxSelections > options.length)
        throw refuse(`maxSelections is ${maxSelections}, but there are only ${options.length} options`);
      const hours =
        durationHours ?? (durationSeconds === undefined ? undefined : Math.max(1, Math.ceil(durationSeconds / 3600)));
      const sent = await services.channels.send({
        to,
        channel,
        accountId,
        threadId,
        runId: idempotencyKey,
        poll: present({ question, options, maxSelections, durationHours: hours }),
      });
      return { ...sentAnswer(idempotencyKey, sent), ...present({ pollId: sent.pollId }) };
    },
  }),

  'message.action': method({
    summary: 'Runs one action of a channel: react, edit, delete, pin, read …',
    needs: 'operator.admin',
    params: messageActionParams,
    run: ({ channel, action, params, accountId }, { services, signal }) =>
      services.channels.act({ channel, action, accountId, parameters: params, signal }),
  }),
};

const sentAnswer = (runId: string, { messageId, channel, address }: Sent): Answers['send'] => ({
  runId,
  messageId,
  channel,
  chatId: address.chat.id,
});

type SendParams = z.output<typeof sendParams>;

/** A path would name a file on the gateway's machine, which the right to write does not include. */
function mediaOf({ mediaUrl, mediaUrls = [] }: SendParams): MediaRef[] {
  const urls = [...new Set([...(mediaUrl ? [mediaUrl] : []), ...mediaUrls])];
  for (const url of urls)
    if (!/^https?:\/\//i.test(url))
      throw refuse('mediaUrl must be an http or https URL; send file content in buffer, as base64');
  return urls.map((url) => ({ from: 'url', url }));
}

const MAX_BASE64 = 70_000_000;

function fileOf({
  buffer,
  filename,
  contentType = 'application/octet-stream',
}: SendParams): { data: Uint8Array; mime: string; name?: string }[] {
  if (!buffer) return [];
  const base64 = buffer.replace(/^data:[^,]*,/, '');
  if (base64.length > MAX_BASE64) throw refuse('buffer is too large: at most 50 MB of bytes');
  const data = Buffer.from(base64, 'base64');
  if (data.length === 0) throw refuse('buffer is not base64');
  return [present({ data, mime: contentType, name: filename || undefined })];
}
