/** Loads the schema library without its translations, which are unused and take 4 MiB in each gateway. */
import { registerHooks } from 'node:module';

/**
 * Before anything else imports the library; what is imported later is looked up as ever, for every hook costs every
 * import a little.
 */
export async function loadSchemas(): Promise<void> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier.endsWith('/locales/index.js') && context.parentURL?.includes('/node_modules/zod/')
        ? { url: 'data:text/javascript,export%20{}', format: 'module', shortCircuit: true }
        : next(specifier, context),
  });
  await import('zod');
  hooks.deregister();
}
