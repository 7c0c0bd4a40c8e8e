/** Identifies people: the LID and phone number of one person are joined as soon as WhatsApp reports both. Bounded. */
import { setNewest } from '../../sdk/index.ts';
import { isLid, personOf } from './ids.ts';

const MAX_PEOPLE = 20_000;
const MAX_NAME = 100;

export interface People {
  learn(pair: { readonly lid: string; readonly phone: string }): void;
  /** As far as it is known right now. */
  known(jid: string | null | undefined, alt?: string | null): string | undefined;
  /** Asks where only a LID is known. */
  find(jid: string | null | undefined, alt?: string | null): Promise<string | undefined>;
  /** What they call themselves; decides nothing. */
  name(person: string, name: string | null | undefined): void;
  nameOf(person: string): string | undefined;
}

/** `phoneOf`: the number behind a LID, from the keys of the device. */
export function createPeople(phoneOf: (lid: string) => Promise<string | undefined>): People {
  const phones = new Map<string, string>();
  const names = new Map<string, string>();

  const learn: People['learn'] = ({ lid, phone }) => void setNewest(phones, lid, phone, MAX_PEOPLE);
  const known: People['known'] = (jid, alt) => {
    const [person, other] = [personOf(jid), personOf(alt)];
    if (person === undefined || !isLid(person)) return person;
    if (other !== undefined && !isLid(other)) learn({ lid: person, phone: other });
    return phones.get(person) ?? person;
  };
  return {
    learn,
    known,
    async find(jid, alt) {
      const person = known(jid, alt);
      if (person === undefined || !isLid(person)) return person;
      const phone = await phoneOf(person);
      if (phone === undefined || isLid(phone)) return person;
      learn({ lid: person, phone });
      return phone;
    },
    name(person, name) {
      const said = name?.trim().slice(0, MAX_NAME);
      if (said) setNewest(names, person, said, MAX_PEOPLE);
    },
    nameOf: (person) => names.get(person),
  };
}
