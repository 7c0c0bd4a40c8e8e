/** Parses a command line with the bash parser: into plain commands, or into reasons and an outline. */
import { parse } from 'unbash';
import type { ApprovalStep } from '../../../../core/approval.ts';
import { outline } from './outline.ts';
import { readScript, type Pipeline } from './read-script.ts';

export interface LineReading {
  readonly reading: { readonly pipelines: readonly Pipeline[] } | { readonly why: readonly string[] };
  /** Every program named in it, also where it could not be read whole. */
  outline(): readonly ApprovalStep[];
}

export function readLine(text: string): LineReading {
  const script = parse(text);
  return { reading: readScript(script, text), outline: () => outline(script, text) };
}
