/** Parses the two pairing files (requests and approvals); tolerant, since older releases wrote them too. */
import { parseJson } from '../../core/parse-json.ts';
import { present } from '../../core/present.ts';
import { z } from 'zod';

export interface PairingRequest {
  /** The sender's stable id. */
  readonly id: string;
  readonly code: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly accountId?: string | undefined;
  /** The direct chat they wrote in. */
  readonly chatId?: string | undefined;
  readonly name?: string | undefined;
  readonly handle?: string | undefined;
}

export interface PairedSender {
  readonly id: string;
  /** The owner said that this is the owner. */
  readonly owner?: true;
  readonly name?: string | undefined;
  readonly at?: number | undefined;
}

const id = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim())
  .pipe(z.string().min(1));
const instant = z.union([z.number(), z.string().transform((written) => Date.parse(written))]).pipe(z.number());
const word = z.string().optional().catch(undefined);

const requestSchema = z
  .looseObject({
    id,
    code: z.string().min(1),
    createdAt: instant,
    lastSeenAt: instant.optional(),
    meta: z
      .looseObject({ accountId: word, chatId: word, name: word, handle: word, firstName: word, username: word })
      .optional(),
  })
  .transform(
    ({ id: sender, code, createdAt, lastSeenAt, meta }): PairingRequest => ({
      id: sender,
      code: code.trim().toUpperCase(),
      createdAt,
      lastSeenAt: lastSeenAt ?? createdAt,
      accountId: meta?.accountId,
      chatId: meta?.chatId,
      name: meta?.name ?? meta?.firstName,
      handle: meta?.handle ?? meta?.username,
    }),
  );

const pendingSchema = z
  .looseObject({ requests: z.array(requestSchema).default([]) })
  .transform(({ requests }) => requests);

const allowedSchema = z
  .looseObject({
    allowFrom: z.array(id).default([]),
    about: z
      .record(
        z.string(),
        z.looseObject({
          name: word,
          at: instant.optional().catch(undefined),
          owner: z.literal(true).optional().catch(undefined),
        }),
      )
      .optional()
      .catch(undefined),
  })
  .transform(({ allowFrom, about = {} }): readonly PairedSender[] =>
    [...new Set(allowFrom)]
      // A pairing names people: "*" here would let everybody in whom nobody approved.
      .filter((sender) => sender !== '*')
      .map((sender) => ({
        id: sender,
        ...(Object.hasOwn(about, sender)
          ? {
              name: about[sender]!.name,
              at: about[sender]!.at,
              ...present({ owner: about[sender]!.owner ? (true as const) : undefined }),
            }
          : {}),
      })),
  );

/** Undefined: the file makes no sense. */
export const readPending = (text: string): readonly PairingRequest[] | undefined => read(text, pendingSchema);
export const readAllowed = (text: string): readonly PairedSender[] | undefined => read(text, allowedSchema);

export const pendingText = (requests: readonly PairingRequest[]): string =>
  written({
    version: 1,
    requests: requests.map(({ id: sender, code, createdAt, lastSeenAt, ...meta }) => ({
      id: sender,
      code,
      createdAt: new Date(createdAt).toISOString(),
      lastSeenAt: new Date(lastSeenAt).toISOString(),
      meta,
    })),
  });

export const allowedText = (senders: readonly PairedSender[]): string =>
  written({
    version: 1,
    allowFrom: senders.map((sender) => sender.id),
    about: Object.fromEntries(
      senders.map(({ id: sender, name, at, owner }) => [
        sender,
        { name, ...present({ owner }), at: at === undefined ? undefined : new Date(at).toISOString() },
      ]),
    ),
  });

const written = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function read<T>(text: string, schema: z.ZodType<T>): T | undefined {
  return schema.safeParse(parseJson(text)).data;
}
