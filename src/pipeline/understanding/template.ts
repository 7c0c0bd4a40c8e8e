/**
 * Fills `{{Name}}` placeholders of configured command lines; values stand as they are, one argument stays one argument.
 */
import { fieldText } from '../../config/template-variables.ts';

/** Documented context fields by name. */
export type TemplateContext = Readonly<Record<string, unknown>>;

/**
 * Missing values become the empty string, arrays their plain items joined by commas, objects nothing. Text put in is
 * not
 * looked at again, so that no value can bring a placeholder of its own.
 */
export const fillTemplate = (text: string, context: TemplateContext): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_whole, name: string) =>
    fieldText(Object.hasOwn(context, name) ? context[name] : undefined),
  );
