/** The request and the result of reading a document. */

export interface DocumentRequest {
  readonly bytes: Uint8Array;
  /** As the sender named it; only its extension counts, and only where the bytes say nothing. */
  readonly name?: string;
  /** As claimed; parameters are ignored. */
  readonly mime?: string;
  /** As claimed, e.g. by a Content-Type header. */
  readonly charset?: string;
  /** Where it came from; links in HTML are made absolute with it. */
  readonly url?: string;
  /** UTF-16 units of text wanted at most. */
  readonly maxChars: number;
  readonly timeoutMs: number;
  readonly pdf: { readonly maxPages: number; readonly maxPixels: number; readonly minTextChars: number };
  /**
   * Whether to make pictures of a PDF's pages; asked only when it has less than `pdf.minTextChars` of text, with what
   * was found. Absent: no.
   */
  pageImages?(found: Pick<DocumentText, 'text' | 'pages'>): Promise<boolean>;
}

export type DocumentKind =
  | 'text'
  | 'table'
  | 'html'
  | 'feed'
  | 'json'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odf'
  | 'rtf'
  | 'mail'
  | 'zip'
  | 'tar'
  | 'gzip';

export type RefusalReason =
  | 'encrypted'
  | 'corrupt'
  | 'unsupported'
  | 'media'
  | 'too_large'
  | 'bomb'
  | 'timeout'
  | 'memory';

/** The text of a document. */
export interface DocumentText {
  readonly ok: true;
  readonly kind: DocumentKind;
  /** Bare `type/subtype`, what the bytes show. */
  readonly mime: string;
  readonly title?: string;
  readonly author?: string;
  /** As the document writes it. */
  readonly date?: string;
  /** The site a web page belongs to, as it calls itself. */
  readonly site?: string;
  /** The page a web page sends its readers to by itself. */
  readonly metaRefreshTarget?: string;
  readonly text: string;
  /** There was more than `maxChars`, or more pages, sheets or entries than are read. */
  readonly truncated: boolean;
  /** `UNKNOWN_CHARSET`: letters beyond ASCII stand as U+FFFD. */
  readonly charset?: string;
  /** Pages of the whole document. */
  readonly pages?: number;
  /** Of them, when not all. */
  readonly pagesRead?: number;
  readonly pageImages: readonly PageImage[];
}

export const UNKNOWN_CHARSET = 'unknown';

export interface PageImage {
  readonly data: Uint8Array;
  readonly mime: string;
}

/** Why there is no text; `message` is a sentence for people. */
export interface DocumentRefusal {
  readonly ok: false;
  readonly reason: RefusalReason;
  readonly mime: string;
  readonly message: string;
}

export type DocumentOutcome = DocumentText | DocumentRefusal;

/** In points. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * What goes to the document thread, and what comes back: `pageSizes` are those of the pages of a PDF that were read.
 */
export type ReadQuestion = Omit<DocumentRequest, 'pageImages'>;
export interface ReadAnswer {
  readonly outcome: DocumentOutcome;
  readonly pageSizes: readonly PageSize[];
}

/** A document as its reader returns it, before it is cut to length. */
export type Reading = Omit<DocumentText, 'ok' | 'pageImages' | 'truncated'> & { readonly truncated?: boolean };

/** Thrown by a reader for a file it cannot make text of; anything else a reader throws means the file is damaged. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
