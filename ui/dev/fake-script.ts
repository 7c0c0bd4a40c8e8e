/** What the fake assistant does, chosen by a word in the message. */

export type Step =
  | { readonly do: 'think' | 'say'; readonly text: string }
  | ({
      readonly do: 'tool';
      readonly id: string;
      readonly name: string;
      readonly args: unknown;
      readonly output: string;
      readonly fails?: boolean;
      readonly hold?: boolean;
    } & ToolExtras)
  /** Says what is being read; `hold` waits like the step of that name. */
  | { readonly do: 'understand'; readonly text: string; readonly hold?: boolean }
  /** Waits for `release()` or an abort. */
  | { readonly do: 'hold' }
  | { readonly do: 'fail'; readonly message: string };

/** Beyond a plain result: what it asks first, how it goes, what it leaves behind. */
interface ToolExtras {
  readonly asks?: { readonly command: string; readonly [field: string]: unknown };
  /** Each replaces the one before. */
  readonly progress?: readonly string[];
  readonly details?: unknown;
  readonly background?: { readonly sessionId: string; readonly command: string; readonly lines: string[] };
  /** Base64 of a PNG. */
  readonly image?: string;
}

const call = (
  name: string,
  args: unknown,
  output: string,
  more: { fails?: boolean; hold?: boolean } & ToolExtras = {},
): Step => ({ do: 'tool', id: `call_${Math.random().toString(36).slice(2)}`, name, args, output, ...more });

export interface SentFile {
  readonly mimeType: string;
  readonly fileName?: string;
  readonly content: string;
}

/** What understanding has to do: links and files that are no pictures. */
export function readingSteps(text: string, files: readonly SentFile[]): readonly Step[] {
  const hold = /\bwait\b/.test(text);
  const links = (text.match(/https?:\/\/\S+/g) ?? []).map(
    (url): Step => ({ do: 'understand', text: `Reading ${url} with link-understand`, hold }),
  );
  return [
    ...files.map(
      (file): Step => ({
        do: 'understand',
        text: `${file.mimeType.startsWith('audio/') ? 'Transcribing' : 'Reading'} ${file.fileName ?? 'a file'}`,
        hold,
      }),
    ),
    ...links,
  ];
}

/** What the agent is given in place of `text`. */
export function composedText(text: string, files: readonly SentFile[]): string {
  const links = (text.match(/https?:\/\/\S+/g) ?? []).map(
    (url, index, all) =>
      `[Link${all.length > 1 ? ` ${index + 1}/${all.length}` : ''}]\nURL: ${url}\nSource: link-understand\nSummary:\n# Fares and stations\n- A single ride costs 1.80 €\n- The last train leaves at 01:00`,
  );
  const blocks = files.map((file) =>
    file.mimeType.startsWith('audio/')
      ? `[Audio]\nTranscript:\nwhat time is it in new york`
      : `<file name="${file.fileName}" mime="${file.mimeType}">\n${Buffer.from(file.content, 'base64').toString('utf8').slice(0, 2000)}\n</file>`,
  );
  return [text, ...blocks, ...links].filter(Boolean).join('\n\n');
}

export function scriptFor(text: string): readonly Step[] {
  if (/\bhold\b/.test(text))
    return [{ do: 'say', text: 'First half. ' }, { do: 'hold' }, { do: 'say', text: 'First half. Second half.' }];
  if (/\bheld tool\b/.test(text))
    return [
      call('bash', { command: 'npm test' }, 'all 214 tests passed', { hold: true }),
      { do: 'say', text: 'All tests pass.' },
    ];
  const commands = execScript(text);
  if (commands) return commands;
  if (/\bfail\b/.test(text))
    return [
      { do: 'say', text: 'Let me ' },
      { do: 'fail', message: 'anthropic answered 529: overloaded. Tried 3 times in 14 s.' },
    ];
  if (/\bmarkdown\b/.test(text)) return [{ do: 'say', text: MARKDOWN }];
  if (/pack|trip|tools/i.test(text)) return TRIP;
  return [{ do: 'say', text: `You said: ${text}` }];
}

/** What the agent does with a machine. */
function execScript(text: string): readonly Step[] | undefined {
  if (/\brun tests\b/.test(text))
    return [
      { do: 'say', text: 'I run the tests.' },
      call(
        'bash',
        { command: 'npm test -- --reporter spec' },
        `${TEST_LINES.join('\n')}\n\nCommand exited with code 1`,
        {
          fails: true,
          progress: TEST_LINES.map((_, at) => TEST_LINES.slice(0, at + 1).join('\n')),
          details: { status: 'failed', exitCode: 1, durationMs: 2140, cwd: '/home/ada/clawd' },
          hold: /\bslowly\b/.test(text),
        },
      ),
      { do: 'say', text: 'One test fails: the outbox forgets its order.' },
    ];
  if (/\bbackground\b/.test(text))
    return [
      call(
        'bash',
        { command: 'npm run dev -- --port 5173', background: true },
        'Running in the background as calm-harbor (pid 4711).',
        {
          background: {
            sessionId: 'calm-harbor',
            command: 'npm run dev -- --port 5173',
            lines: ['> dev', '> vite --port 5173', '', '  VITE ready in 212 ms', '  ➜  Local: http://localhost:5173/'],
          },
          details: { status: 'running', sessionId: 'calm-harbor', pid: 4711 },
        },
      ),
      { do: 'say', text: 'The server is up at http://localhost:5173.' },
    ];
  if (/\bdeploy\b/.test(text))
    return [
      { do: 'say', text: 'I push the branch and look at the log.' },
      call(
        'bash',
        { command: ASKED.command, env: ASKED.env },
        'To github.com:ada/clawd.git\n   2f1c9aa..8d0b7e1  main -> main',
        { asks: ASKED, details: { status: 'completed', exitCode: 0, durationMs: 1800 } },
      ),
      { do: 'say', text: 'Pushed.' },
    ];
  if (/\bedit it\b/.test(text))
    return [
      call(
        'edit',
        { path: 'src/outbox.ts', oldText: 'rows.sort()', newText: 'rows.toSorted(byTicket)' },
        'Changed src/outbox.ts at line 41.',
        {
          details: {
            path: 'src/outbox.ts',
            firstChangedLine: 41,
            diff: '@@ -38,7 +38,8 @@\n export function next(rows: Row[]): Row | undefined {\n   if (rows.length === 0) return undefined;\n   const open = rows.filter(({ sentAt }) => sentAt === undefined);\n-  return rows.sort()[0];\n+  // The ticket is the order of arrival; ids are not.\n+  return open.toSorted(byTicket)[0];\n }\n \n',
          },
        },
      ),
      { do: 'say', text: 'Fixed.' },
    ];
  return undefined;
}

const TEST_LINES = [
  '> clawd@1.0.0 test',
  '> node --test --reporter spec',
  '',
  '✔ a message is sent once (12 ms)',
  '✔ a refused message comes back (3 ms)',
  '✖ what waits goes out in order (8 ms)',
  '  AssertionError: expected [ 1, 2, 3 ], got [ 3, 1, 2 ]',
  '    at outbox.test.ts:41:3',
  '',
  'tests 3, pass 2, fail 1',
];

/** Asked by `deploy`: two programs, one proven. */
export const ASKED = {
  command: 'git push origin main && git log -1 --format=%s | cat',
  cwd: '/home/ada/clawd',
  env: { GIT_TERMINAL_PROMPT: '0' },
  steps: [
    { words: ['git', 'push', 'origin', 'main'], path: '/usr/bin/git', why: '/usr/bin/git is not in the allowlist.' },
    { words: ['git', 'log', '-1', '--format=%s'], path: '/usr/bin/git', why: '/usr/bin/git is not in the allowlist.' },
    { words: ['cat'], path: '/usr/bin/cat' },
  ],
  reasons: ['/usr/bin/git is not in the allowlist.'],
  rememberable: true,
  remember: ['/usr/bin/git, only as: git push origin main (in ~/clawd)'],
};

const TRIP: readonly Step[] = [
  {
    do: 'think',
    text: 'Three days, mild weather, carry-on only. I should look at the preferences file first, then write the list.',
  },
  { do: 'say', text: 'Let me look at what I know about how you travel.' },
  call(
    'read',
    { path: 'USER.md' },
    '# USER.md\n- travels with carry-on only\n- runs in the morning\n- allergic to wool',
  ),
  call('read', { path: 'trips/lisbon.md' }, 'ENOENT: no such file trips/lisbon.md in the workspace', { fails: true }),
  call(
    'write',
    { path: 'packing.md', text: '# Lisbon, 3 days\n- 3 shirts\n- running shoes' },
    'wrote packing.md (412 bytes)',
  ),
  {
    do: 'say',
    text: 'Here is a list that fits a **carry-on** and leaves out wool. It is saved as `packing.md`.\n\n| What | How many | Why |\n|---|---:|---|\n| Linen shirts | 3 | 24 °C by day |\n| Light jacket | 1 | wind at the river |\n| Running shoes | 1 | mornings along the Tejo |\n\n1. Charge the earphones the evening before.\n2. Print nothing: the train tickets are on the phone.\n\nTo put the list on your phone:\n\n```bash\nscp packing.md phone:Documents/   # one file\n```\n\nShall I remind you on Thursday evening?',
  },
];

export const MARKDOWN = `# A heading

Some *emphasis*, **strength**, \`code\`, ~~nothing~~ and a [link](https://example.org/ "there").

- one
- two
  - nested

> A quote, <b>not bold</b> and <script>alert(1)</script> inert.

\`\`\`ts
const answer: number = 42; // not a joke
export const ask = (question: string) => \`\${question}: \${answer}\`;
\`\`\`

| Left | Right |
|---|---:|
| a | 1 |
| b | 22 |

![a remote picture](https://tracker.example/pixel.png)

[bad](javascript:alert(1)) [ref][1]

[1]: https://example.org/reference
`;
