/** File and socket operations of a process in kernel order: the types of a recording. */

/** Places in the recording: nothing of an operation is on disk before it began, and a sync counts from its end. */
interface When {
  readonly begun: number;
  readonly ended: number;
}

export type Operation = When &
  (
    | { readonly kind: 'write'; readonly file: number; readonly offset: number; readonly data: Buffer }
    | { readonly kind: 'size'; readonly file: number; readonly bytes: number }
    /** `file`: a number for a file, undefined for a folder. */
    | { readonly kind: 'make'; readonly path: string; readonly file: number | undefined }
    | { readonly kind: 'rename'; readonly path: string; readonly to: string }
    | { readonly kind: 'remove'; readonly path: string }
    | {
        readonly kind: 'sync';
        readonly file: number | undefined /** Of a folder. */;
        readonly path: string | undefined;
      }
    /** Bytes for somebody outside: what was promised by then. */
    | { readonly kind: 'told'; readonly text: string }
  );

export interface Recording {
  readonly operations: readonly Operation[];
  /** Places there are: a cut lies behind one of them. */
  readonly length: number;
  /** Files that were there before, by path. */
  readonly before: ReadonlyMap<string, Buffer>;
}
