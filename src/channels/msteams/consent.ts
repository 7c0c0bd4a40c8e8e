/** Handles a person's answer to an offered file: uploads it to the given address and posts the file card. */
import { AppError, httpCall, type ChatAddress } from '../../sdk/index.ts';
import type { Activity } from './activity.ts';
import { isAllowedHost } from './config.ts';
import { placeFor, type SendDeps } from './send.ts';

interface UploadInfo {
  readonly name?: string;
  readonly uploadUrl?: string;
  readonly contentUrl?: string;
  readonly uniqueId?: string;
  readonly fileType?: string;
}

const UPLOAD_MS = 120_000;

/** True: it was an answer to an offer. */
export async function takeConsent({ value }: Activity, to: ChatAddress, deps: SendDeps): Promise<boolean> {
  const { context, action, uploadInfo } = (value ?? {}) as {
    readonly context?: { readonly file?: unknown };
    readonly action?: string;
    readonly uploadInfo?: UploadInfo;
  };
  const id = context?.file;
  const offered = typeof id === 'string' ? deps.cardStore.find(id) : undefined;
  // Nobody accepts a file that was offered to somebody else.
  if (typeof id !== 'string' || offered?.kind !== 'file' || offered.chat !== to.chat.id) return false;
  await deps.cardStore.drop(id);
  if (action !== 'accept') return true;
  const { config } = deps.account;
  const { uploadUrl = '', contentUrl, name, uniqueId, fileType } = uploadInfo ?? {};
  if (!isAllowedHost(uploadUrl, config.mediaAllowHosts))
    throw new AppError(
      'denied',
      'Teams named a host for the upload that channels.msteams.mediaAllowHosts does not allow.',
    );
  const { data } = await deps.account.open(offered.media, config.mediaMaxMb * 1024 * 1024);
  const answer = await httpCall({
    service: 'the storage of Teams',
    method: 'PUT',
    url: uploadUrl,
    headers: {
      'content-type': 'application/octet-stream',
      'content-range': `bytes 0-${data.length - 1}/${data.length}`,
    },
    body: new Uint8Array(data),
    timeoutMs: UPLOAD_MS,
  });
  if (answer.status >= 300)
    throw new AppError('unavailable', `The storage of Teams did not take the file (${answer.status}).`);
  const { serviceUrl, conversation } = await placeFor(to, deps);
  const attachment = {
    contentType: 'application/vnd.microsoft.teams.card.file.info',
    contentUrl,
    name,
    content: { uniqueId, fileType },
  };
  const path = `conversations/${encodeURIComponent(conversation)}/activities`;
  await deps.api.call({ serviceUrl, method: 'POST', path, json: { type: 'message', attachments: [attachment] } });
  return true;
}
