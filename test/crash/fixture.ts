/**
 * The surroundings of the gateway under test: a platform that redelivers until acknowledged, a model, and a tool whose
 * effects are counted.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attachment } from '../../src/core/message.ts';

export interface PlatformMessage {
  readonly id: string;
  readonly chat: string;
  readonly text: string;
  readonly kind?: 'direct' | 'group';
  readonly sender?: string;
  readonly addressesBot?: boolean;
  readonly attachments?: readonly Attachment[];
  /** One the channel fetches itself; `content` is base64. */
  readonly file?: { readonly name: string; readonly mime: string; readonly content: string };
}
export interface Send {
  readonly chat: string;
  readonly text: string;
  readonly token: string;
}

export interface Fixture {
  readonly url: string;
  /** What the platform's people wrote and the bot has not acknowledged. */
  readonly unacknowledged: Map<string, PlatformMessage>;
  /** Every message the bot sent, in order. */
  readonly sends: Send[];
  /** What lies under `/files/<name>`, and how often it was fetched. */
  readonly files: Map<string, { readonly body: Buffer; fetched: number }>;
  /** How often the tool's effect happened, by its argument. */
  readonly effects: Map<string, number>;
  modelCalls: number;
  /** Called when the effect has happened and the tool has not heard so. */
  onEffect: (() => void) | undefined;
  /** How long the model and the tool take, milliseconds; at once when undefined. */
  pause: (() => number) | undefined;
  /** Between the words of an answer and its end, with what is answered. */
  linger: ((said: string) => Promise<unknown>) | undefined;
  close(): Promise<void>;
}

export async function createFixture(): Promise<Fixture> {
  const fixture = {
    unacknowledged: new Map<string, PlatformMessage>(),
    sends: [] as Send[],
    files: new Map<string, { body: Buffer; fetched: number }>(),
    effects: new Map<string, number>(),
    modelCalls: 0,
    onEffect: undefined as (() => void) | undefined,
    pause: undefined as (() => number) | undefined,
    linger: undefined as Fixture['linger'],
  };
  const server = createServer((req, res) => void answer(req, res, fixture).catch(() => res.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(fixture, { url: `http://127.0.0.1:${port}`, close: () => closed(server) });
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  fixture: Omit<Fixture, 'url' | 'close'>,
): Promise<void> {
  const body: any = req.method === 'POST' ? JSON.parse(await text(req)) : {};
  const reply = (value: unknown): void =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const { pathname } = new URL(req.url!, 'http://x');
  const file = fixture.files.get(pathname.replace('/files/', ''));
  if (file) {
    file.fetched++;
    return void res.end(file.body);
  }
  switch (pathname) {
    case '/updates':
      return reply([...fixture.unacknowledged.values()]);
    case '/ack':
      return reply({ ok: fixture.unacknowledged.delete(body.id) });
    case '/send': {
      fixture.sends.push(body);
      return reply({ id: `p${fixture.sends.length}` });
    }
    case '/find':
      return reply(fixture.sends.flatMap((send, index) => (send.token === body.token ? [`p${index + 1}`] : [])));
    case '/effect': {
      fixture.effects.set(body.name, (fixture.effects.get(body.name) ?? 0) + 1);
      fixture.onEffect?.();
      await rest(fixture);
      return reply({ ok: true });
    }
    case '/v1/chat/completions': {
      fixture.modelCalls++;
      await rest(fixture);
      return await model(body, res, fixture.linger);
    }
    default:
      res.writeHead(404).end();
  }
}

const rest = ({ pause }: Pick<Fixture, 'pause'>): Promise<unknown> | undefined =>
  pause ? new Promise((resolve) => setTimeout(resolve, pause())) : undefined;

/**
 * Answers `echo <text>`; a text with `do <name>`, once or more, is answered after calling the tool once for each, all
 * at a time;
 * one with `ask <session>: <text>` after asking there, one with `send out: <text>` after starting a sub-agent. What
 * sessions say to each other is not asked on.
 */
async function model(body: any, res: ServerResponse, linger: Fixture['linger']): Promise<void> {
  const turn = body.messages.slice(body.messages.findLastIndex((message: any) => message.role === 'user'));
  // Without the line that says where it comes from: what was asked is what counts.
  const said: string = contentText(turn[0].content).replace(/^\[Pipe [^\]\n]*\] (?:\w+(?: \(\w+\))?: )?/gm, '');
  const wanted = [...said.matchAll(/do (\w+)/g)].map(([, name]) => name!);
  const results = turn.filter((message: any) => message.role === 'tool');
  const talk = /(?:^|\] )(?:ask (\S+)|send out): (.+)/.exec(said);
  const call =
    talk &&
    (talk[1]
      ? { name: 'sessions_send', arguments: JSON.stringify({ sessionKey: talk[1], message: talk[2] }) }
      : { name: 'sessions_spawn', arguments: JSON.stringify({ task: talk[2] }) });
  const delta =
    call && results.length === 0
      ? { tool_calls: [{ index: 0, id: 'call_talk', type: 'function', function: call }] }
      : wanted.length > 0 && results.length === 0
        ? {
            tool_calls: wanted.map((name, index) => ({
              index,
              id: `call_${name}`,
              type: 'function',
              function: { name: 'effect', arguments: JSON.stringify({ name }) },
            })),
          }
        : {
            content: `echo ${said}${results.length > 0 && /unknown/i.test(contentText(results[0].content)) ? ' (outcome unknown)' : ''}`,
          };
  const chunk = (choice: object): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.write(chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null }));
  await linger?.(said);
  res.end(`${chunk({ delta: {}, finish_reason: 'tool_calls' in delta ? 'tool_calls' : 'stop' })}data: [DONE]\n\n`);
}

const contentText = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : String(content);

async function text(req: IncomingMessage): Promise<string> {
  let all = '';
  for await (const chunk of req) all += chunk;
  return all;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
