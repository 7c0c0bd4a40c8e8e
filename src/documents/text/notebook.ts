/** A Jupyter notebook as Markdown: its words, its code, what came of it; pictures and other data are named, not shown (nbformat 4). */
import { z } from 'zod';

const lines = z.union([z.string(), z.array(z.string()).transform((all) => all.join(''))]);
const output = z.object({
  text: lines.optional(), data: z.record(z.string(), z.unknown()).optional(), ename: z.string().optional(), evalue: z.string().optional(),
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
  return read.data.cells.flatMap(({ cell_type: kind, source, outputs = [] }) => (kind === 'code' ? [fenced(source, language), ...outputs.map(outputText)] : [source.trim()]))
    .filter((part) => part !== '').join('\n\n');
}

function outputText({ text, data = {}, ename, evalue }: Output): string {
  const plain = lines.safeParse(data['text/plain']);
  const said = [text, plain.success ? plain.data : undefined, ename === undefined ? undefined : `${ename}: ${evalue ?? ''}`].filter((part) => part?.trim()).join('\n');
  const others = Object.keys(data).filter((mime) => !mime.startsWith('text/'));
  return [said ? `Output:\n${fenced(said, '')}` : '', ...others.map((mime) => `[${mime.slice(0, 100)}, not shown]`)].filter(Boolean).join('\n');
}

const fenced = (code: string, language: string): string => (code.trim() === '' ? '' : `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return undefined;
  }
}
