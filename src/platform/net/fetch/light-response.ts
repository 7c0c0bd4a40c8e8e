/** An answer as a reader of `fetch` sees it, without the `Response` of Node, which loads its whole `fetch`. */
import { readAtMost } from '../../bounded-body.ts';
import type { LightHeaders } from './light-headers.ts';

interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: LightHeaders;
  readonly url: string;
}

/** What the models' libraries use of a `Response`. */
type Read = Pick<
  Response,
  'status' | 'statusText' | 'ok' | 'url' | 'type' | 'redirected' | 'body' | 'bodyUsed' | 'arrayBuffer' | 'text' | 'json'
>;

/** Its body is read once, as a stream or whole. */
export class LightResponse implements Read {
  readonly type = 'basic';
  readonly redirected = false;
  readonly status: number;
  readonly statusText: string;
  readonly headers: LightHeaders;
  readonly url: string;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  #read = false;

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>> | null, { status, statusText, headers, url }: Head) {
    this.body = body;
    this.status = status;
    this.statusText = statusText;
    this.headers = headers;
    this.url = url;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get bodyUsed(): boolean {
    return this.#read;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = await this.#bytes();
    return buffer.slice(byteOffset, byteOffset + byteLength);
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.#bytes());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async #bytes(): Promise<Buffer<ArrayBuffer>> {
    if (this.#read || this.body?.locked) throw new TypeError('Body is unusable: Body has already been read');
    this.#read = true;
    // Whoever made the body bounds it.
    return (await readAtMost(this.body, Infinity)).bytes as Buffer<ArrayBuffer>;
  }
}
