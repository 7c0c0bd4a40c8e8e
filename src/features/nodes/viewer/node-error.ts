/** A command that is not carried out: the code is the protocol's, the message is for whoever asked. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}
