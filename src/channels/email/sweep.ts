/** Takes what is new in a folder into the gateway: in order, each mail once, and marks as read what was taken. */
import { AppError, type ChannelAccount, type Intake, type ProblemBoard, type Watermark } from '../../sdk/index.ts';
import type { EmailConfig } from './config.ts';
import { isLeft, normalise, screen, type LeftMail, type MailContext } from './inbound.ts';
import type { ImapLine } from './imap-line.ts';
import { fetchHead, fetchMail, positionOf, readPosition, uidsAfter, writePosition, type Position } from './mailbox.ts';

export interface SweepDeps {
  readonly account: ChannelAccount<EmailConfig>;
  readonly intake: Intake;
  readonly watermark: Watermark;
  readonly context: MailContext;
  readonly problems: ProblemBoard;
  /** The connection as it is when a mail was taken. */
  line(): Promise<ImapLine>;
  /** A mail that is for the bot was taken. */
  answering(): void;
}

/** How far mails are in the hands of the gateway; those that wait count. */
interface Reached {
  position: Position | undefined;
  readonly taking: Set<Promise<unknown>>;
  unproven: number;
}

const MAX_WAITING = 200;

export function createSweep(deps: SweepDeps): (line: ImapLine) => Promise<void> {
  const reached: Reached = { position: readPosition(deps.watermark.last), taking: new Set(), unproven: 0 };
  return async (line) => {
    const from = reached.position ?? (await beginHere(line, deps.watermark));
    reached.position = from;
    for (const uid of await uidsAfter(line, from)) {
      while (reached.taking.size >= MAX_WAITING) await Promise.race(reached.taking);
      await step(line, uid, reached, deps);
    }
  };
}

/** A mailbox that is seen for the first time: only what comes from now on is answered. */
async function beginHere({ folder }: ImapLine, watermark: Watermark): Promise<Position> {
  const position = { validity: String(folder.uidValidity), uid: folder.uidNext - 1, at: Date.now() };
  await watermark.begin(writePosition(position));
  return position;
}

async function step(line: ImapLine, uid: number, reached: Reached, deps: SweepDeps): Promise<void> {
  const { account, watermark } = deps;
  const head = await unlessBroken(line, uid, account, () => fetchHead(line.client, uid));
  if (!head)
    return void (reached.position = { validity: String(line.folder.uidValidity), uid, at: reached.position?.at ?? 0 });
  const position = positionOf(head.mail, line);
  const screened = screen(head.headers, account.config);
  const mail = isSender(screened)
    ? await unlessBroken(line, uid, account, async () =>
        normalise(await fetchMail(line, head), screened.from, deps.context),
      )
    : screened;
  const taken = watermark.came(writePosition(position));
  reached.position = position;
  if (!mail || isLeft(mail)) {
    if (mail) leave(mail, uid, reached, deps);
    return taken();
  }
  const { threads } = deps.context;
  const { message, noted } = mail;
  // Before it is taken: a stranger is answered with a code while it is.
  threads.note(...noted);
  for (const known of [message.address.chat.id, message.sender.id]) threads.know(known);
  const taking = deps.intake
    .take(message.address.chat.id, () => account.receive(message))
    .then(async () => {
      taken();
      if (message.addressesBot) deps.answering();
      await markSeen(uid, position, deps);
    });
  // Closed on its way: it is read again.
  const settled = taking.catch(() => undefined).finally(() => reached.taking.delete(settled));
  reached.taking.add(settled);
}

const isSender = (screened: ReturnType<typeof screen>): screened is { readonly from: string } => 'from' in screened;

/** A mail that cannot be read is left; undefined then. A connection that broke ends the sweep. */
async function unlessBroken<T>(
  { client }: ImapLine,
  uid: number,
  { log, signal }: ChannelAccount<EmailConfig>,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || !client.usable) throw error;
    log.warn('email.unreadable', { uid, reason: error instanceof Error ? error.message.slice(0, 200) : 'unknown' });
    return undefined;
  }
}

function leave({ left, unproven }: LeftMail, uid: number, reached: Reached, { account, problems }: SweepDeps): void {
  account.log.info('email.left', { uid, why: left });
  if (!unproven) return;
  reached.unproven += 1;
  const count = reached.unproven === 1 ? 'A mail was' : `${reached.unproven} mails were`;
  problems.set('unproven', {
    kind: 'security',
    message: `${count} not read, because the sender was not confirmed; the last time ${left}.`,
    fix:
      account.config.authservIds.length === 0
        ? 'Set channels.email.authservIds to the name your mail server writes into Authentication-Results.'
        : 'Look at the Authentication-Results of that mail; forged mail looks like this, too.',
  });
}

async function markSeen(uid: number, position: Position, { account, line }: SweepDeps): Promise<void> {
  if (!account.config.markSeen) return;
  try {
    const { client, folder } = await line();
    if (String(folder.uidValidity) !== position.validity) return;
    await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
  } catch (error) {
    // It was taken: that it stays unread in the mailbox harms nobody.
    account.log.debug('email.seen', { uid, reason: error instanceof AppError ? error.code : 'failed' });
  }
}
