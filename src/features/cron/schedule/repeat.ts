/** The parsed clauses of a repeating time, before they become a schedule. */
import type { ClockTime, DayPart } from './clock-time.ts';
import type { Duration } from './duration.ts';

export interface Repeat {
  readonly said: string;
  /** The period: its unit and how many; days and longer may be pinned to a date by other clauses. */
  readonly period?: { readonly unit: Unit; readonly count: number; readonly duration: Duration };
  /** The minute of an hour that each hour has one of. */
  readonly minute?: number;
  /** Sunday is 0. */
  readonly weekdays?: readonly number[];
  /** Fields of the day of the month: `1`, `L`, `LW`, `1W`. */
  readonly monthDays?: readonly string[];
  /** `the last day`: of what, other clauses must say. */
  readonly dayOfPeriod?: true;
  /** Fields of the weekday: `5L`, `1#2`. */
  readonly nth?: readonly string[];
  /** January is 1. */
  readonly months?: readonly number[];
  readonly times?: readonly ClockTime[];
  readonly dayPart?: DayPart;
  readonly between?: readonly [ClockTime, ClockTime];
  /** Read apart: what is left of the text says when the first is. */
  readonly starting?: string;
}

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
