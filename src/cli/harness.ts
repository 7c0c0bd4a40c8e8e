/** Runs one command against a gateway with given answers. */
import type { Run } from './command.ts';
import { fakeTerminal, type Answers } from './fake.ts';

export interface RunGiven {
  readonly args?: readonly string[];
  readonly flags?: Readonly<Record<string, string | number | true>>;
  readonly stdin?: string;
}

export async function runCommand(command: Run, answers: Answers, { args = [], flags = {}, stdin = '' }: RunGiven = {}) {
  const io = fakeTerminal({ answers, stdin });
  const link = await io.connect({ env: io.env(), timeoutMs: 1 });
  const given = {
    has: (name: string) => name in flags,
    text: (name: string) => flags[name] as string | undefined,
    number: (name: string) => flags[name] as number | undefined,
    list: () => [],
  };
  const code = await command({ args, flags: given, io, gateway: async () => link });
  const sent = (method: string): any => io.requests.find((request) => request.method === method)?.params;
  return { code: code ?? 0, io, sent, out: io.lines.join('\n'), err: io.errors.join('\n') };
}
