/**
 * The feature contract for third parties: the safe part of `feature.ts`. A plugin adds names under its own id and
 * replaces no setting, path, method or answer of others.
 */
import type { z } from 'zod';
import type { Log } from '../core/log.ts';
import type { Requirement } from '../core/principal.ts';
import type { Tool } from '../core/tool.ts';
import type { Clock } from '../platform/clock.ts';
import type { FeatureParts } from './feature.ts';
import type { HostAgents, HostGateway, HostSessions } from './host.ts';
import type { HttpRoutes, HttpSurface } from './http/surface.ts';
import type { MethodSpecs } from './method.ts';
import type { FeaturePage } from './plugin-page.ts';

/** What a third party's plugin gives to be a feature: the safe part of the contract. */
export interface PluginFeature {
  /** The name of its folder or file, as `plugins.entries` names it: lower-case letters, digits and dashes. */
  readonly id: string;
  /** One sentence on what it gives people. */
  readonly summary: string;
  /** Reads `plugins.entries.<id>.config`; absent: there is nothing to set. */
  readonly settings?: z.ZodType;
  /** Gateway methods; each is called `<id>.…`. */
  readonly methods?: MethodSpecs;
  /** Events it publishes, `<id>` or `<id>.…`, and what a client must hold to hear each. */
  readonly events?: Readonly<Record<string, Requirement>>;
  readonly tools?: readonly Tool[];
  create(host: PluginHost): PluginParts | Promise<PluginParts>;
}

/** All of the gateway that a third party's feature may reach. */
export interface PluginHost {
  readonly machine: {
    /** Its lines carry the plugin's name. */
    readonly log: Log;
    readonly clock: Clock;
    /** Of this product, `x.y.z`. */
    readonly version: string;
    /** IANA zone of this machine. */
    zone(): string;
  };
  /** `plugins.entries.<id>.config` as the feature's schema read it; a change restarts the gateway in place. */
  readonly settings: unknown;
  readonly agents: Pick<HostAgents, 'ids' | 'defaultId'>;
  readonly sessions: Pick<HostSessions, 'mainKey'>;
  readonly gateway: Pick<HostGateway, 'publish' | 'startedAt' | 'accepting' | 'closing'>;
}

/** What a running third-party feature does for the gateway. */
export interface PluginParts extends Pick<FeatureParts, 'methods' | 'prompt' | 'start' | 'close'> {
  http?(surface: HttpSurface): PluginRoutes;
}

/** Paths are `/plugins/<id>` and what lies below it. */
export interface PluginRoutes extends Pick<HttpRoutes, 'at' | 'under' | 'upgrades' | 'close'> {
  /** What a caller must hold before a handler is asked; `own`: the handlers prove their callers themselves. */
  readonly needs: Requirement | 'own';
}

/** Found, its shape checked, its settings read; not created yet. */
export interface FoundPluginFeature {
  readonly value: PluginFeature;
  /** The entry of `plugins.load.paths`. */
  readonly path: string;
  /** Absolute; absent for a single file. */
  readonly folder?: string;
  readonly settings: unknown;
  /** Its page of the Control UI. */
  readonly page?: FeaturePage;
}
