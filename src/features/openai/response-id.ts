/**
 * Response ids carry the session they belong to, so that `previous_response_id` works after a restart without a table.
 */

/** `resp_<session key in base64url>.<run id>` */
export function responseId(sessionKey: string, runId: string): string {
  return `resp_${Buffer.from(sessionKey, 'utf8').toString('base64url')}.${runId}`;
}

/** The session key inside an id of ours; undefined for ids of another making. */
export function sessionOfResponse(id: string): string | undefined {
  const match = /^resp_([A-Za-z0-9_-]+)\.[\w.:-]+$/.exec(id);
  const key = match ? Buffer.from(match[1]!, 'base64url').toString('utf8') : undefined;
  return key?.startsWith('agent:') ? key : undefined;
}
