/** The input and result of a doctor check. */
import type { ConfigSnapshot } from '../../config/store.ts';
import type { Env } from '../../platform/env.ts';
import type { GatewayLink } from '../gateway-link.ts';

export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
}

export interface Patient {
  readonly env: Env;
  readonly config: ConfigSnapshot<unknown>;
  /** The running gateway, or why there is none. */
  readonly gateway: { readonly link: GatewayLink } | { readonly problem: string };
  /** Mend what can be mended without asking. */
  readonly repair: boolean;
}

export interface Check {
  readonly name: string;
  run(patient: Patient): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ level: 'ok', detail });
export const warn = (detail: string, fix: string): Finding => ({ level: 'warn', detail, fix });
export const fail = (detail: string, fix: string): Finding => ({ level: 'fail', detail, fix });
