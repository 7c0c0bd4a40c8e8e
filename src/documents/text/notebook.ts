/** Converts a Jupyter notebook to Markdown: text, code and text output; other output is named only (nbformat 4). */
import { z } from 'zod';
import { head } from '../../core/cut.ts';

const lines = z.union([z.string(), z.array(z.string()).transform((all) => all.join(''))]);
const output = z.object({
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const notebook = z.object({
  cells: z.array(z.object({ cell_type: z.string(), source: lines, outputs: z.array(output).optional() })),
  metadata: z.object({ language_info: z.object({ name: z.string() }).optional() }).optional(),
});

type Output = z.output<typeof output>;

/** Undefined when it is none, or damaged. */
export function notebookToMarkdown(json: string): string | undefined {
  const read = notebook.safeParse(parsed(json));
  if (!read.success) return undefined;
  const language = read.data.metadata?.language_info?.name.replaceAll(/[^\w+#-]/g, '') ?? '';
  const shown = read.data.cells
    .flatMap(({ cell_type: kind, source, outputs = [] }) =>
      kind === 'code' ? [fenced(source, language), ...outputs.map(outputText)] : [source.trim()],
    )
    .filter((part) => part !== '')
    .join('\n\n');
  return shown.replaceAll(EMBEDDED, (_whole, mime: string) => notShown(mime));
}

/** A file written into an address, as a cell of words embeds a picture. */
const EMBEDDED = /data:([\w.+-]+\/[\w.+-]+)[\w;=.+-]{0,100};base64,[\w+/=%-]*/g;

/** In round brackets: square ones begin what the gateway itself says of pictures. */
const notShown = (mime: string): string => `(${head(mime, 100)}, not shown)`;

function outputText({ text, data = {}, ename, evalue }: Output): string {
  const plain = lines.safeParse(data['text/plain']);
  const said = [
    text,
    plain.success ? plain.data : undefined,
    ename === undefined ? undefined : `${ename}: ${evalue ?? ''}`,
  ]
    .filter((part) => part?.trim())
    .join('\n');
  const others = Object.keys(data).filter((mime) => !mime.startsWith('text/') || !said);
  return [said ? `Output:\n${fenced(said, '')}` : '', ...others.map(notShown)].filter(Boolean).join('\n');
}

const fenced = (code: string, language: string): string =>
  code.trim() === '' ? '' : `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return undefined;
  }
}
