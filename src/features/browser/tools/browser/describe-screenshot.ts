/** Returns a screenshot: the picture, or a description for models without vision. */
import type { PictureAnswer, ToolContext, ToolResult } from '../../../../sdk/index.ts';

export interface Screenshot {
  readonly text: string;
  readonly details: unknown;
  readonly picture?: { readonly data: string; readonly mimeType: string; readonly path: string };
}

interface VisionPlan {
  readonly enabled: boolean;
  readonly explicit: boolean;
  readonly prompt: string;
}

const HINT =
  'This describes the screenshot; the picture itself was sent to nobody. To share it, attach it with the ' +
  'message tool: ';
/** No vision model is available. */
const NOBODY = /agents\.defaults\.imageModel/;

/**
 * If the description succeeds, the picture is left out and cannot be delivered; if it fails, the picture is returned
 * with the reason.
 */
export async function describeScreenshot(shot: Screenshot, ctx: ToolContext): Promise<ToolResult> {
  const { picture } = shot;
  const plan = picture && ctx.describePicture ? ((await ctx.rpc('browser.vision', {})) as VisionPlan) : undefined;
  // A model with vision needs no description, unless a vision model is configured explicitly.
  if (!picture || !plan?.enabled || !ctx.describePicture || (ctx.seesPictures !== false && !plan.explicit))
    return asPicture(shot);
  const { data, mimeType: mime, path } = picture;
  const answer = await ctx.describePicture({
    data: Buffer.from(data, 'base64'),
    mime,
    prompt: plan.prompt,
    signal: ctx.signal,
  });
  if (!answer.ok) return failed(shot, answer, ctx);
  if (answer.text.trim() === '') return asPicture(shot);
  const text = [
    `[analyzed by ${answer.model || 'media image understanding'}]`,
    await wrapped(answer.text, ctx),
    `${HINT}${path}`,
  ].join('\n');
  const { provider, model } = splitModel(answer.model);
  const vision = { provider, model, decision: { outcome: 'success', attempts: answer.attempts } };
  return { content: [{ type: 'text', text }], details: { ...withoutMedia(shot.details), vision } };
}

function asPicture({ text, details, picture }: Screenshot, also?: string): ToolResult {
  const image = picture ? [{ type: 'image', data: picture.data, mimeType: picture.mimeType } as const] : [];
  return { content: [{ type: 'text', text: also === undefined ? text : `${text}\n${also}` }, ...image], details };
}

async function failed(
  shot: Screenshot,
  answer: Extract<PictureAnswer, { ok: false }>,
  ctx: ToolContext,
): Promise<ToolResult> {
  if (answer.attempts.length === 0 && NOBODY.test(answer.error)) return asPicture(shot);
  return asPicture(shot, `[browser screenshot vision failed: ${await wrapped(answer.error, ctx)}]`);
}

async function wrapped(text: string, ctx: ToolContext): Promise<string> {
  return ((await ctx.rpc('browser.wrap', { text })) as { readonly text: string }).text;
}

function withoutMedia(details: unknown): object {
  const { media: _media, ...rest } = { ...(details as { readonly media?: unknown }) };
  return rest;
}

function splitModel(named: string): { readonly provider: string; readonly model: string } {
  const slash = named.indexOf('/');
  return slash < 0
    ? { provider: '', model: named }
    : { provider: named.slice(0, slash), model: named.slice(slash + 1) };
}
