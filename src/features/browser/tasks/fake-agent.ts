/**
 * A scripted model: it knows what a person would say ("press the button Book in the row of the cheapest") and finds it
 * in the snapshot by role, name and text. It knows no selectors or ids.
 */
import assert from 'node:assert/strict';

/** One call of the tool: its input, and the text for the model. */
export type UseTool = (given: object) => Promise<string>;

/** One line of a snapshot. */
export interface Line {
  readonly depth: number;
  readonly role: string;
  readonly name: string;
  readonly text: string;
  readonly ref: string | undefined;
}

export interface ScriptedAgent {
  readonly use: UseTool;
  see(): Promise<readonly Line[]>;
  open(url: string): Promise<void>;
  /** The first match; fails if there is none. */
  find(role: string, name: string | RegExp): Promise<Line>;
  click(role: string, name: string | RegExp, more?: object): Promise<string>;
  type(name: string | RegExp, text: string, more?: object): Promise<string>;
  /** Fails with the message of the tool if the call failed. */
  act(request: object): Promise<string>;
  /** The text of a page without the markers around it. */
  reads(text: string | RegExp): Promise<boolean>;
}

export function createScriptedAgent(use: UseTool): ScriptedAgent {
  const see = async (): Promise<readonly Line[]> => linesOf(await use({ action: 'snapshot', maxChars: 0 }));
  const find: ScriptedAgent['find'] = async (role, name) => {
    const lines = await see();
    const found = lines.find((line) => line.ref !== undefined && line.role === role && fits(nameOf(line), name));
    assert.ok(
      found,
      `no ${role} ${name} among\n${lines
        .map((line) => `${line.role} ${nameOf(line)}`)
        .join('\n')
        .slice(0, 2000)}`,
    );
    return found;
  };
  const act = async (request: object): Promise<string> => {
    const outcome = await use({ action: 'act', request });
    assert.match(outcome, /"ok": true/, JSON.stringify(request));
    return outcome;
  };
  return {
    use,
    see,
    find,
    act,
    open: async (url) => void (await use({ action: 'open', targetUrl: url })),
    click: async (role, name, more = {}) => act({ kind: 'click', ref: (await find(role, name)).ref, ...more }),
    type: async (name, text, more = {}) => act({ kind: 'type', ref: (await find('textbox', name)).ref, text, ...more }),
    reads: async (text) => (await see()).some((line) => fits(`${line.name} ${line.text}`, text)),
  };
}

const nameOf = ({ name, text }: Line): string => name || text;
const fits = (said: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? said.trim() === wanted : wanted.test(said);

const LINE = /^( *)- ([a-z]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)(?:: (.*))?$/;

export function linesOf(snapshot: string): readonly Line[] {
  return snapshot.split('\n').flatMap((line) => {
    const [, indent, role, name = '', marks = '', text = ''] = LINE.exec(line) ?? [];
    if (indent === undefined || role === undefined) return [];
    return [{ depth: indent.length / 2, role, name, text, ref: /\[ref=([^\]]+)\]/.exec(marks)?.[1] }];
  });
}

/** Each row of a table with the text of its cells, in order. */
export function rowsOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  return lines.flatMap((line, at) => {
    if (line.role !== 'row') return [];
    const end = lines.findIndex((one, later) => later > at && one.depth <= line.depth);
    return [lines.slice(at + 1, end < 0 ? undefined : end)];
  });
}
