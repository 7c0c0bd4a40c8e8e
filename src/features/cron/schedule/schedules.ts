/**
 * The operations on schedules: the instants of one, whether it can ever occur, its description in words, and parsing of
 * words.
 */
import type { CronSchedule } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { inertLine } from '../../../core/inert-line.ts';
import { checkSchedule } from './check.ts';
import { createCronSlots } from './cron-slots.ts';
import { lastEvery, nextEvery } from './every-slots.ts';
import { scheduleFrom, type ReadingContext } from './from-written.ts';
import { inWords } from './in-words.ts';
import { inLocalWords } from './instant-words.ts';
import type { Zone } from './zone.ts';
import { zoneNamed } from './zone-name.ts';

export type { ReadingContext } from './from-written.ts';

/** Milliseconds since the epoch. */
export interface Span {
  readonly afterMs: number;
  readonly untilMs: number;
}

export interface ManySpan extends Span {
  /** Each slot takes about 0.05 ms to find: a few hundred are what one call may ask for. */
  readonly limit: number;
  /** Which are given when there are more than `limit`; absent: the newest. */
  readonly keep?: 'newest' | 'oldest';
}

/**
 * Slots are the nominal instants, without stagger. `madeAtMs` is when the job was made: what a period without an anchor
 * counts from. All of it
 * is pure, takes well under a millisecond, and throws `invalid` for an expression or a zone that cannot be read.
 */
export interface Schedules {
  /** The first slot strictly after `afterMs`; undefined: none ever. */
  next(schedule: CronSchedule, afterMs: number, madeAtMs: number): number | undefined;
  /** The newest slot in `(afterMs, untilMs]`; undefined: none. */
  newest(schedule: CronSchedule, span: Span, madeAtMs: number): number | undefined;
  /** Slots in `(afterMs, untilMs]`, oldest first, at most `limit`; `more`: there were others. */
  between(
    schedule: CronSchedule,
    span: ManySpan,
    madeAtMs: number,
  ): { readonly slots: readonly number[]; readonly more: boolean };
  /** Throws `invalid` with what is wrong and how to write it, also for what can never happen (`0 0 31 2 *`). */
  check(schedule: CronSchedule): void;
  /**
   * `every weekday at 07:00 (Europe/Berlin)`, `every 20 minutes`, `once, Tue 24 Nov 2026 09:00 (Europe/Berlin)`; an
   * unusual expression stands for itself.
   */
  inWords(schedule: CronSchedule): string;
  /** IANA zone whose clock these words name; that of the person where they name none. */
  zoneFor(schedule: CronSchedule): string;
}

/**
 * `hostZone`: where schedules without a zone are at home. `zone`: the person's, in which instants are said; absent:
 * that one. Loads croner, which takes a few milliseconds the first time.
 */
export async function loadSchedules({
  hostZone,
  zone = () => hostZone,
}: {
  readonly hostZone: string;
  zone?(): string;
}): Promise<Schedules> {
  const { Cron } = await import('croner');
  const cron = createCronSlots(Cron);
  const zones = new Map<string, Zone>(); // as many as there are in use, each a few kilobytes
  const zoneOf = (name = hostZone): Zone => {
    const zone = zones.get(name) ?? zoneNamed(name);
    zones.set(name, zone);
    return zone;
  };

  const next: Schedules['next'] = (schedule, afterMs, madeAtMs) => {
    if (schedule.kind === 'at') return schedule.atMs > afterMs ? schedule.atMs : undefined;
    return schedule.kind === 'every'
      ? nextEvery(schedule, afterMs, madeAtMs)
      : cron.next(schedule.expr, zoneOf(schedule.tz), afterMs);
  };
  const last = (schedule: CronSchedule, untilMs: number, madeAtMs: number): number | undefined => {
    if (schedule.kind === 'at') return schedule.atMs <= untilMs ? schedule.atMs : undefined;
    return schedule.kind === 'every'
      ? lastEvery(schedule, untilMs, madeAtMs)
      : cron.last(schedule.expr, zoneOf(schedule.tz), untilMs);
  };
  const newest: Schedules['newest'] = (schedule, { afterMs, untilMs }, madeAtMs) => {
    const slot = last(schedule, untilMs, madeAtMs);
    return slot !== undefined && slot > afterMs ? slot : undefined;
  };

  return {
    next,
    newest,
    between(schedule, { afterMs, untilMs, limit, keep = 'newest' }, madeAtMs) {
      const slots: number[] = [];
      const forwards = keep === 'oldest';
      const step = (from: number | undefined): number | undefined => {
        const slot = forwards
          ? next(schedule, from ?? afterMs, madeAtMs)
          : last(schedule, from === undefined ? untilMs : from - 1, madeAtMs);
        return slot !== undefined && slot > afterMs && slot <= untilMs ? slot : undefined;
      };
      let slot = step(undefined);
      for (; slot !== undefined && slots.length < limit; slot = step(slot)) slots.push(slot);
      return { slots: forwards ? slots : slots.reverse(), more: slot !== undefined };
    },
    check(schedule) {
      checkSchedule(schedule);
      if (schedule.kind !== 'cron' || cron.happens(schedule.expr)) return;
      throw new AppError(
        'invalid',
        `"${inertLine(schedule.expr)}" never happens: no such day exists. Use a day that exists, e.g. "0 9 ` +
          'L 2 *" for the last day of February at 09:00.',
      );
    },
    inWords: (schedule) => inWords(schedule, zoneOf, zoneOf(zone())),
    zoneFor: (schedule) => (schedule.kind === 'cron' ? zoneOf(schedule.tz).name : zone()),
  };
}

/**
 * Any documented or spoken spelling becomes a checked schedule: the fields of `CronSchedule` (numbers also as digits,
 * the kind may be left out),
 * `{ at }` and `{ every }` in words (an ISO date without a zone is UTC), `{ expr }` or `{ cron }` with `tz`, a bare
 * expression, or a sentence such as `every weekday at 7`.
 * Rejects with `invalid` that quotes what was read, says what is wrong and shows how to write it; also for what has
 * gone by.
 */
export async function readSchedule(written: unknown, context: ReadingContext): Promise<CronSchedule> {
  const schedule = await scheduleFrom(written, context);
  const schedules = await loadSchedules({ hostZone: context.zone });
  schedules.check(schedule);
  if (
    schedule.kind === 'cron' &&
    !context.pastAllowed &&
    schedules.next(schedule, context.nowMs, context.nowMs) === undefined
  ) {
    throw new AppError(
      'invalid',
      `The last instant of "${inertLine(schedule.expr)}" is in the past. It is ` +
        `${inLocalWords(context.nowMs, zoneNamed(schedule.tz ?? context.zone))} now; use a later year, or leave ` +
        'out the year.',
    );
  }
  return schedule;
}
