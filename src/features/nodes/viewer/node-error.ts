/** The error of a command: a code of the protocol, and a message for its requester. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}
