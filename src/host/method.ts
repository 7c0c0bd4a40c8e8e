/** A gateway method of a feature: scope and parameters are data, the handler comes with the running feature. */
import type { z } from 'zod';
import { AppError } from '../core/errors.ts';
import type { Principal, Requirement } from '../core/principal.ts';
import type { Answers } from '../protocol/answers.ts';
import type { ClientLink } from './clients.ts';

/** What a method needs and takes; the reference page is written from it. */
export interface MethodSpec<P = unknown> {
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly needs: Requirement;
  readonly params: z.ZodType<P>;
  /** Its answers may be large: the next one is made when the client has taken the last. */
  readonly heavy?: true;
}

/** One request under way. */
export interface MethodCall {
  readonly principal: Principal;
  /** What people call the known device that asks. */
  readonly deviceName?: string | undefined;
  /** The connection that asks; absent where a method is called without one. */
  readonly client?: ClientLink | undefined;
  /** Ends when the connection does. */
  readonly signal: AbortSignal;
  /** A first answer before the real one, under the same id; clients know it by `status: "accepted"`. */
  accepted(payload: { readonly status: 'accepted' } & Record<string, unknown>): void;
}

/** Runs up to its first await in the order requests arrived. Throws `AppError`; what it returns is the answer. */
export type MethodWork<P, A = unknown> = (params: P, call: MethodCall) => A | Promise<A>;

/** The methods of one feature by name, as data. */
export type MethodSpecs = Readonly<Record<string, MethodSpec<any>>>;

/**
 * The work of every method of the table; without its work, or with another answer than its schema's, it does not
 * compile.
 */
export type MethodWorks<S extends MethodSpecs = MethodSpecs, A = Answers> = {
  readonly [K in keyof S]: MethodWork<z.output<S[K]['params']>, K extends keyof A ? A[K] : unknown>;
};

/** Keeps the types of the parameters between the table and the work. */
export const defineMethods = <const S extends MethodSpecs>(specs: S): S => specs;

/** An error the client can tell apart by `details.code`. */
export const refuse = (message: string, details?: Record<string, unknown>): AppError =>
  new AppError('invalid', message, details ? { details } : {});
