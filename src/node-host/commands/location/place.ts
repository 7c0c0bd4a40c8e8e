/** Places, and the services of a machine that know them. */

/** What is wanted of a place. */
export interface PlaceRequest {
  readonly timeoutMs: number;
  readonly accuracy: 'coarse' | 'balanced' | 'precise';
  readonly signal: AbortSignal;
}

/** A place as a service of the machine measured it. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
  readonly accuracyMeters: number;
  readonly altitudeMeters?: number | undefined;
  readonly speedMps?: number | undefined;
  readonly headingDeg?: number | undefined;
  /** ISO 8601. */
  readonly timestamp?: string | undefined;
  readonly source: 'gps' | 'network' | 'unknown';
}

/** A service of the machine that knows places. */
export interface PlaceService {
  /** Undefined: it is there; else why not. */
  missing(): Promise<string | undefined>;
  /** Rejects with `NodeError`. */
  measure(request: PlaceRequest): Promise<Place>;
}
