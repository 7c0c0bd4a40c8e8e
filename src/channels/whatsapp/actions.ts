/** Runs the actions declared in `action-list.ts`. */
import { AppError, present, type ActionCall, type ChatAddress } from '../../sdk/index.ts';
import { isGroup, personOf } from './ids.ts';
import type { Sender } from './send.ts';
import type { WaGroup } from './socket.ts';

interface ActionDeps extends Pick<Sender, 'sendAs'> {
  group(jid: string): Promise<WaGroup>;
}

interface Call {
  readonly to: ChatAddress;
  text(name: string): string;
  maybe(name: string): string | undefined;
}

const MAX_MEMBERS = 200;

export async function act(action: string, { to, parameters }: ActionCall, deps: ActionDeps): Promise<unknown> {
  const run = RUNS[action];
  if (!run)
    throw new AppError(
      'unsupported',
      `WhatsApp does not support the action ${action}; actions: ${Object.keys(RUNS).join(', ')}.`,
    );
  if (!to) throw new AppError('invalid', 'Parameter target is required: a number, or a group.');
  const maybe = (name: string): string | undefined => {
    const value = parameters[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined;
  };
  const text = (name: string): string => maybe(name) ?? missing(name);
  return run({ to, maybe, text }, deps);
}

const missing = (name: string): never => {
  throw new AppError('invalid', `Parameter ${name} is missing.`);
};

function degrees(text: string, name: string, max: number): number {
  const value = Number(text);
  if (Number.isFinite(value) && Math.abs(value) <= max) return value;
  throw new AppError('invalid', `Parameter ${name} must be a number between -${max} and ${max}.`);
}

const RUNS: Readonly<Record<string, (call: Call, deps: ActionDeps) => Promise<unknown>>> = {
  async location({ to, text, maybe }, { sendAs }) {
    const place = {
      degreesLatitude: degrees(text('latitude'), 'latitude', 90),
      degreesLongitude: degrees(text('longitude'), 'longitude', 180),
      ...present({ name: maybe('name'), address: maybe('address') }),
    };
    return sendAs(to, { location: place }, maybe('name') ?? 'a place');
  },
  async contact({ to, text }, { sendAs }) {
    const name = text('name').replaceAll(/[\r\n]/g, ' ');
    const phone = personOf(`${text('phone').replaceAll(/\D/g, '')}@s.whatsapp.net`);
    if (phone === undefined) throw new AppError('invalid', 'Parameter phone must be a number with its country code.');
    const vcard = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `FN:${name.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`)}`,
      `TEL;type=CELL;waid=${phone.slice(1)}:${phone}`,
      'END:VCARD',
    ].join('\n');
    return sendAs(to, { contacts: { displayName: name, contacts: [{ displayName: name, vcard }] } }, name);
  },
  async 'group-info'({ to }, { group }) {
    if (!isGroup(to.chat.id)) throw new AppError('invalid', 'The target is not a group.');
    const { subject, members, participants } = await group(to.chat.id);
    return { id: to.chat.id, name: subject, members, participants: participants.slice(0, MAX_MEMBERS) };
  },
};
