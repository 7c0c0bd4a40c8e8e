/** A call of a tool on one line of the terminal, as it begins and as it ends. Pure. */
import { terminalLine } from './terminal-text.ts';

export interface ToolNews {
  readonly name: string;
  readonly phase: 'start' | 'end';
  readonly args?: unknown;
  readonly failed?: boolean;
  readonly output?: string;
  readonly ms?: number;
}

const LONGEST = 100;
const TELLING = ['command', 'path', 'file_path', 'action', 'url', 'query', 'text', 'message'];

/** `→ bash ls -la`, `✓ bash 12 ms`, `✗ bash exit 1`. */
export function toolLine({ name, phase, args, failed = false, output = '', ms }: ToolNews): string {
  const tool = terminalLine(name, 60);
  if (phase === 'start') return `→ ${tool} ${terminalLine(tellingOf(args), LONGEST)}`.trimEnd();
  const took = ms === undefined ? '' : ` ${ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`}`;
  const lines = output.trim() === '' ? 0 : output.trim().split('\n').length;
  const said = failed ? ` ${terminalLine(output, LONGEST)}` : lines > 1 ? ` (${lines} lines)` : '';
  return `${failed ? '✗' : '✓'} ${tool}${took}${said}`.trimEnd();
}

function tellingOf(args: unknown): string {
  if (typeof args === 'string') return args;
  if (typeof args !== 'object' || args === null) return '';
  const input = args as Readonly<Record<string, unknown>>;
  const named = TELLING.map((name) => input[name]).find((value) => typeof value === 'string');
  return (named as string | undefined) ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input));
}
