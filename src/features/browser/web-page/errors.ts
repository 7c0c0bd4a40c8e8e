/** Translates errors of the driver into text a model can act on. */
import { AppError, asAppError, type ErrorCode } from '../../../core/errors.ts';

const AGAIN = 'Take a new snapshot';
const CODE = { details: (reason: string) => ({ details: { reason } }) };

/** The subject of an error about the whole page. */
export const PAGE = 'The page';

/** Work without a timeout of its own took longer than `ms`. */
export const pageBusy = (ms: number): AppError =>
  new AppError(
    'timeout',
    `The page is busy and did not answer within ${ms} ms: it is not known whether this was done. ${AGAIN}; where that ` +
      'fails too, close the tab.',
    CODE.details('page_busy'),
  );

/** `subject`: the element of the action, e.g. `e12`. */
export function pageError(error: unknown, subject: string): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return asAppError(error);
  const message = plain(error.message);
  const make = (code: ErrorCode, reason: string, text: string): AppError =>
    new AppError(code, text, { cause: error, ...CODE.details(reason) });
  const matched = /resolved to (\d{1,9}) elements/.exec(message);
  if (matched && message.includes('strict mode violation'))
    return make('conflict', 'ambiguous', `${subject} matched ${matched[1]} elements. ${AGAIN} and use a ref from it.`);
  if (/intercepts pointer events|element is outside of the viewport/i.test(message)) {
    const line = message.split('\n').find((one) => one.includes('intercepts pointer events'));
    const by = /<[^<>]{1,120}>/.exec(line ?? '')?.[0];
    return make(
      'conflict',
      'covered',
      `${subject} is not interactable (hidden or covered${by ? ` by ${by}` : ''}). Close what covers it or scroll it ` +
        `into view. ${AGAIN} to see what is there.`,
    );
  }
  if (/element is not enabled/i.test(message))
    return make(
      'conflict',
      'disabled',
      `${subject} is disabled. Do first what enables it. ${AGAIN} to see what is there.`,
    );
  if (/element is not editable|element is not an <(?:input|select)|not a checkbox|Input of type/i.test(message))
    return make(
      'invalid',
      'wrong_element',
      `${subject} does not take that: ${firstLine(message)} ${AGAIN} to choose another.`,
    );
  const [, key] = /Unknown key: "([^"]{0,40})/.exec(message) ?? [];
  if (key !== undefined)
    return make(
      'invalid',
      'no_key',
      `There is no key "${key}". Use names such as Enter, Tab, ArrowDown, a or Control+A.`,
    );
  if (/Non-multiple file input/i.test(message))
    return make('invalid', 'one_file', `${subject} takes one file only. Give one path.`);
  if (/did not find some options/i.test(message))
    return make('invalid', 'no_option', `${subject} has none of these options. ${AGAIN} to see which it has.`);
  if (
    /Target (?:page, context or browser has been )?closed|page has been closed|Target crashed|browser has been closed/i.test(
      message,
    )
  )
    return make(
      'unavailable',
      'page_gone',
      'The page is gone: it closed itself, or the browser ended. `tabs` lists what is open.',
    );
  if (/performing \w+ action/.test(message))
    return make(
      'timeout',
      'page_busy',
      `${subject} was acted on, and the page did not answer in time: it may have worked. ${AGAIN} to see what came of ` +
        'it before trying again.',
    );
  if (subject === PAGE && error.name === 'TimeoutError')
    return make('timeout', 'page_busy', 'The page is busy and did not answer in time. Try again, or close the tab.');
  if (error.name === 'TimeoutError' || /Timeout \d+ms exceeded/.test(message))
    return make(
      'timeout',
      'timeout',
      `${subject} was not found or not visible in time. ${AGAIN} and use a ref from it.`,
    );
  if (/Execution context was destroyed/.test(message))
    return make(
      'conflict',
      'page_changed',
      `The page went elsewhere before ${subject} was done. ${AGAIN} to see where it is.`,
    );
  if (/not a valid selector|Unexpected token .* while parsing/i.test(message))
    return make('invalid', 'bad_selector', `The selector is not valid: ${firstLine(message)}`);
  return make('bad_response', 'page_error', firstLine(message));
}

/** Why a page could not be opened. */
export function navigationError(error: unknown, url: string): AppError {
  const message = error instanceof Error ? plain(error.message) : '';
  const [, code = ''] = /net::(ERR_[A-Z_]+)/.exec(message) ?? [];
  const host = URL.parse(url)?.host ?? url;
  const say = (kind: ErrorCode, text: string): AppError =>
    new AppError(kind, text, { cause: error, details: { reason: code } });
  if (/^ERR_CERT_|^ERR_SSL_/.test(code))
    return say(
      'denied',
      `${host} has no valid certificate (${code}). It is not opened; nobody can tell who answers there.`,
    );
  if (code === 'ERR_TUNNEL_CONNECTION_FAILED' || code === 'ERR_PROXY_CONNECTION_FAILED')
    return say('network', `${host} is not reached: it does not answer, or the guard does not let pages there.`);
  if (code === 'ERR_NAME_NOT_RESOLVED') return say('network', `${host} does not exist.`);
  if (code === 'ERR_TOO_MANY_REDIRECTS') return say('bad_response', `${host} redirects without end.`);
  if (code !== '') return say('network', `${host} could not be opened (${code}).`);
  return pageError(error, host);
}

/** Removes colors and the call log. */
const plain = (message: string): string =>
  message.replace(/\u001b\[\d+m/g, '').replace(/^(?:page|locator|frame|elementHandle)\.\w+: /i, '');
const firstLine = (message: string): string => `${message.split('\n')[0]!.slice(0, 300).replace(/\.?$/, '.')}`;
