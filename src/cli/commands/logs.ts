/** `logs`: prints the end of the log of the running gateway, and new lines with `--follow`. */
import type { Call } from '../command.ts';
import { nextPoll } from '../next-poll.ts';

interface LogPage {
  readonly file: string;
  readonly cursor: number;
  readonly lines: readonly string[];
  readonly reset?: boolean;
}

const DEFAULT_LINES = 200;

export async function logs(call: Call): Promise<void> {
  const { flags, io } = call;
  const link = await call.gateway();
  const show = flags.has('json') ? (line: string) => line : readable;
  const print = (page: LogPage): void => page.lines.forEach((line) => io.out(show(line)));
  let page = await link.request<LogPage>('logs.tail', { limit: flags.number('limit') ?? DEFAULT_LINES });
  print(page);
  if (!flags.has('follow')) return;
  const stop = new AbortController();
  const stopListening = io.onInterrupt(() => stop.abort());
  try {
    while (await nextPoll(stop.signal)) {
      page = await link.request<LogPage>('logs.tail', { cursor: page.cursor });
      print(page);
    }
  } finally {
    stopListening();
  }
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
