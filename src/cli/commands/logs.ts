/** `logs`: prints the end of the log of the running gateway, and new lines with `--follow`. */
import type { Call } from '../command.ts';
import { followNews } from '../follow-news.ts';

interface LogPage {
  readonly cursor: number;
  readonly lines: readonly string[];
}

const DEFAULT_LINES = 200;

export async function logs(call: Call): Promise<void> {
  const { flags, io } = call;
  const link = await call.gateway();
  const show = flags.has('json') ? (line: string) => line : readable;
  let cursor: number | undefined;
  const print = async (): Promise<true> => {
    const params = cursor === undefined ? { limit: flags.number('limit') ?? DEFAULT_LINES } : { cursor };
    const page = await link.request<LogPage>('logs.tail', params);
    page.lines.forEach((line) => io.out(show(line)));
    cursor = page.cursor;
    return true;
  };
  if (!flags.has('follow')) return void (await print());
  await followNews({ link, io, topic: 'logs', isNews: (event) => event === 'logs.lines' }, print);
}

/** A JSON log line for people: time, level, event, fields. A line of another form stays as it is. */
function readable(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { time, level, event, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const rest = Object.entries(fields).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    return [time, String(level).padEnd(5), event, ...rest].join(' ');
  } catch (error) {
    if (error instanceof SyntaxError) return line;
    throw error;
  }
}
