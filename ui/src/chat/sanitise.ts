/** The last gate before HTML enters the page. */
import DOMPurify from 'dompurify';

const POLICY = {
  ALLOWED_TAGS: ['a', 'b', 'blockquote', 'br', 'button', 'code', 'del', 'div', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'input', 'li', 'ol', 'p', 'pre', 's', 'span', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ALLOWED_ATTR: ['align', 'alt', 'checked', 'class', 'data-copy-code', 'disabled', 'href', 'rel', 'src', 'start', 'tabindex', 'target', 'title', 'type'],
  ALLOWED_URI_REGEXP: /^(https?:|mailto:|tel:|data:image\/)/i,
  // Every value is held against the expression above but those of attributes that cannot carry an address.
  ADD_URI_SAFE_ATTR: ['align', 'checked', 'disabled', 'rel', 'start', 'tabindex', 'target', 'type'],
};

export const sanitise = (html: string): string => DOMPurify.sanitize(html, POLICY);
