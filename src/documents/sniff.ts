/** Tells what a file is by its bytes, then by its name, then by what was claimed. */

export interface SniffedType {
  readonly kind: 'image' | 'audio' | 'video' | 'document' | 'archive' | 'text' | 'binary';
  /** Bare `type/subtype`. */
  readonly mime: string;
}

export async function sniff(_bytes: Uint8Array, _claim: { name?: string; mime?: string } = {}): Promise<SniffedType> {
  return { kind: 'binary', mime: 'application/octet-stream' };
}
