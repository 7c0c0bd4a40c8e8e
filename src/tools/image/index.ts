/** `image`: has a picture looked at by the image model and answers what that says. */
import { z } from 'zod';
import { defineTool, errorResult, textResult, type PictureAnswer, type ToolResult, present } from '../../sdk/index.ts';
import { pictureForModel, type ShownPicture } from '../../sdk/pictures.ts';
import { loadPicture } from './load-picture.ts';
import { readReference, shownReference } from './reference.ts';

const DEFAULT_PROMPT = 'Describe the image.';
const DEFAULT_MB = 10;
/** More is not held in memory, whatever is asked for. */
const MAX_MB = 50;

const input = z.object({
  image: z.string().describe('Path, file:// or http(s) address, or data: URL of the picture'),
  prompt: z.string().optional().describe(`What to ask about it; absent: "${DEFAULT_PROMPT}"`),
  model: z.string().optional().describe('Another image model, provider/model or an alias'),
  maxBytesMb: z.number().optional().describe(`Megabytes it may have, at most ${MAX_MB}; absent: ${DEFAULT_MB}`),
});
const DESCRIBES =
  'Has a picture looked at by the image model and answers what it says: a file of the workspace, an http(s) ' +
  'address or a data: URL. Ask precisely with `prompt`. Pictures of this conversation that you can see ' +
  'yourself need no such look.';
const READS =
  'Reads the text that is written in a picture (OCR): a file of the workspace, an http(s) address or a data: ' +
  'URL. There is no image model here, so it cannot say what a picture shows; `prompt` changes nothing. Say ' +
  'so where a person asks for more, and that agents.defaults.imageModel names a model.';

export default defineTool({
  name: 'image',
  summary: 'Look at a picture with the image model',
  does: [['read', 'received-file']],
  description: DESCRIBES,
  for: ({ describesPictures }) => ({ description: describesPictures === 'text' ? READS : DESCRIBES, input }),
  readOnly: true,
  aliases: {
    path: 'image',
    file_path: 'image',
    filePath: 'image',
    url: 'image',
    imageUrl: 'image',
    image_url: 'image',
    question: 'prompt',
    max_bytes_mb: 'maxBytesMb',
  },
  input,
  available: ({ describesPictures }) => describesPictures !== false,
  async run({ image, prompt, model, maxBytesMb }, ctx): Promise<ToolResult> {
    const reference = readReference(image);
    if (reference.kind === 'wrong') return errorResult(reference.error);
    if (reference.kind === 'unsupported') return unsupported(shownReference(image));
    if (!ctx.describePicture) return errorResult('No model can describe images. Set agents.defaults.imageModel.');
    const loaded = await loadPicture(reference, { maxBytes: allowedBytes(maxBytesMb), ctx });
    const picture = await pictureForModel(loaded.data);
    if (!picture.ok) return errorResult(refusal(picture));
    ctx.signal.throwIfAborted();
    const answer = await ctx.describePicture({
      data: picture.data,
      mime: picture.mime,
      prompt: prompt?.trim() || DEFAULT_PROMPT,
      model: model?.trim() || undefined,
      signal: ctx.signal,
    });
    return describe(answer, present({ image: shownReference(image), rewrittenFrom: loaded.rewrittenFrom }));
  },
});

/** A plain result: models write such references for pictures they remember, and go on better without an error. */
const unsupported = (image: string): ToolResult =>
  textResult(`Unsupported image reference: ${image}. Give the path of a file, an http(s) address or a data: URL.`, {
    error: 'unsupported_image_reference',
    image,
  });

const allowedBytes = (mb: number | undefined): number =>
  Math.floor(Math.min(MAX_MB, mb !== undefined && mb > 0 ? mb : DEFAULT_MB) * 1024 * 1024);

function refusal({ kind, why }: Extract<ShownPicture, { ok: false }>): string {
  if (kind === 'image/svg+xml')
    return `Unsupported media type: ${kind}. A drawing is text: use \`read\`, or convert it to PNG first.`;
  return kind.startsWith('image/')
    ? `Unsupported media type: ${kind}; ${why}.`
    : `Unsupported media type: ${kind}. Only images are supported.`;
}

/** Who was tried stands in the details, whatever came of it. */
function describe(
  answer: PictureAnswer,
  facts: { readonly image: string; readonly rewrittenFrom?: string },
): ToolResult {
  const { attempts } = answer;
  if (!answer.ok) {
    const [only, ...others] = attempts;
    const why = only && others.length === 0 ? ` (${only.model}): ${only.error ?? answer.error}` : `: ${answer.error}`;
    return errorResult(`Image model failed${why}`, { ...facts, attempts });
  }
  const text = answer.text.trim();
  if (!text)
    return errorResult(`Image model returned no text (${answer.model}).`, { ...facts, model: answer.model, attempts });
  return textResult(text, { model: answer.model, ...facts, attempts });
}
