/**
 * Joins modules into few: what is always loaded together stands in one file, so that a start reads tens of files in
 * place of hundreds. What is found by its path (command lines of features, threads) keeps its path.
 *   node scripts/join-modules.mjs FROM TO     absolute: the folder that tsc wrote, and where the joined modules go
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const PROGRAMS = ['main', 'app', 'link-understand/main'];
const PLUGINS = '{channels,providers,tools}/*/index';
const FEATURES = 'features/*/index';
const OWNED_TOOLS = '{features,channels}/*/tools/*/index';
/** What a feature puts beside its index for the command line and the node host. */
const BESIDE = 'features/*/{cli,audit,doctor,node}';

/**
 * Who loads what in one go, by the modules it begins with. A module stands in the file of those who load it: two that
 * share much share a file, and none reads what only the other needs.
 */
const LOADED_TOGETHER = {
  command: ['cli/cli', 'cli/terminal'],
  rows: ['cli/command-table'],
  client: ['gateway/client', 'cli/connect', 'cli/commands/{status,health}'],
  gateway: ['app'],
  reader: ['link-understand/link-understand'],
};
/** What only begins after a command line was read: it finds there what it shares with it. */
const AFTER_COMMAND = new Set(['rows', 'client', 'gateway']);

/**
 * Libraries that every start or first turn needs: joined too, so that it does not look for their files, and the schema
 * library is there once.
 */
const INLINED = new Set(['zod', 'json5', 'ws', '@ai-sdk', '@workflow', 'eventsource-parser']);

/**
 * `product`: the folder of the product below `from`, with a slash. `ending`: of the modules, `.js` when tsc wrote them,
 * `.ts` for the sources themselves, whose types are then stripped here. `programs`: paths of further ones.
 * `sourcemap`: write where each line came from.
 */
export async function joinModules(folder, to, { product = '', ending = '.js', programs = [], sourcemap = false } = {}) {
  const from = resolve(folder);
  const named = (patterns) =>
    globSync(
      patterns.map((pattern) => `${product}${pattern}${ending}`),
      { cwd: from },
    );
  const threads = named(['**/*'])
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => threadsNamedIn(path, readFileSync(`${from}/${path}`, 'utf8'), ending));
  const entries = [...named([...PROGRAMS, BESIDE]), ...threads, ...programs];
  const bundled = listBundled(`${from}/${product}`, named([FEATURES, OWNED_TOOLS, PLUGINS]), ending, product);
  const joined = joinWhatIsLoadedTogether(from, {
    ...Object.fromEntries(Object.entries(LOADED_TOGETHER).map(([name, patterns]) => [name, named(patterns)])),
    ...Object.fromEntries(threads.map((path) => [posix.basename(path, ending), [path]])),
  });
  const build = await rolldown({
    input: Object.fromEntries(entries.map((path) => [path.slice(0, -ending.length), `${from}/${path}`])),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !INLINED.has(id.split('/')[0]),
    plugins: [
      bundled,
      withoutTranslations,
      laterBuiltins,
      lightHeaders(`${from}/${product}`, ending),
      lightRequests(`${from}/${product}`, ending),
      joined.plugin,
      ownAddress(from),
      onlyNamesUsed,
    ],
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { groups: joined.groups },
    sourcemap,
  });
  await build.close();
  const pastFacades = passFacades(output);
  for (const { fileName, code, source } of output) {
    mkdirSync(dirname(`${to}/${fileName}`), { recursive: true });
    writeFileSync(`${to}/${fileName}`, code === undefined ? source : inAscii(pastFacades(code, fileName)));
  }
}

/**
 * The features and plugins of the product are imported by one module: to look for their folders and to read a file of
 * each took a fifth of a start.
 */
function listBundled(root, paths, ending, product) {
  const folders = paths.map((path) => posix.dirname(path.slice(product.length)));
  const code = [
    ...folders.map((folder, at) => `import bundled${at} from '../${folder}/index${ending}';`),
    `export const BUNDLED = { ${folders.map((folder, at) => `'${folder}': bundled${at}`).join(', ')} };`,
  ].join('\n');
  return { name: 'list-bundled', load: (id) => (id === `${root}plugins/bundled${ending}` ? code : null) };
}

/** Modules that run in a thread of their own: those that another names with `besideModule('name', …)`. */
const threadsNamedIn = (path, source, ending) =>
  [...source.matchAll(/besideModule\('([\w-]+)'/g)].map(([, name]) => posix.join(dirname(path), `${name}${ending}`));

/** The schema library's error texts in 64 languages, which nobody reads. */
const withoutTranslations = {
  name: 'without-translations',
  load: (id) => (/node_modules\/zod\/.*\/locales\/index\.js$/.test(id) ? 'export {};' : null),
};

/** The WebSocket library names what only its encrypted and its compressed connections need: 10 ms of a start. */
const laterBuiltins = {
  name: 'later-builtins',
  transform: (code, id) =>
    /node_modules\/ws\/lib\/[\w-]+\.js$/.test(id)
      ? {
          code: code
            .replace(/^const (?:https|tls|zlib) = require\('\w+'\);$/gm, '')
            .replace(/(?<![\w./'])(https|tls|zlib)\.(?=\w)/g, "require('$1')."),
          map: null,
        }
      : null,
};

/**
 * The `Headers` of Node, of which the models' libraries make one for each request, loads its whole `fetch`: 25 ms of
 * the first turn and 16 MiB.
 */
const lightHeaders = (root, ending) => ({
  name: 'light-headers',
  transform: (code, id) =>
    /node_modules\/@ai-sdk\//.test(id) && /\bHeaders\(/.test(code)
      ? {
          // On the line that is there, so the map of the lines stays right: `null` says so.
          code: `import { LightHeaders as Headers } from '${root}platform/net/fetch/light-headers${ending}'; ${code}`,
          map: null,
        }
      : null,
});

/**
 * The events of each answer went through three streams, and the JSON of all tools was made anew for each request: a
 * tenth of a turn (docs/design/speed.md).
 */
const lightRequests = (root, ending) => ({
  name: 'light-requests',
  transform: (code, id) =>
    id.endsWith('node_modules/@ai-sdk/provider-utils/dist/index.js')
      ? {
          // On the lines that are there, as above.
          code: [
            [EVENTS, 'lightEvents(stream, (text) => safeParseJSON({ text, schema }))'],
            ['JSON.stringify(body)', 'requestJson(body)'],
          ].reduce(
            replacedIn,
            `import { lightEvents } from '${root}platform/net/fetch/light-events${ending}'; ` +
              `import { requestJson } from '${root}platform/net/fetch/request-json${ending}'; ${code}`,
          ),
          map: null,
        }
      : null,
});

const EVENTS = /stream\.pipeThrough\(new TextDecoderStream\(\)\)\.pipeThrough[\s\S]*?\n\t\} \}\)\)/;

function replacedIn(code, [what, by]) {
  const found = typeof what === 'string' ? what : what.exec(code)?.[0];
  if (found === undefined || !code.includes(found)) throw new Error(`The library has no ${String(what)} any more.`);
  return code.replace(found, () => by + '\n'.repeat(found.split('\n').length - 1));
}

/**
 * Node's own modules, taken apart by hand: an `import` copies every export of one, and some are getters that load its
 * whole fetch implementation (`node:http`) or its streams of files (`node:fs`) for a start that uses neither.
 */
const onlyNamesUsed = {
  name: 'only-names-used',
  renderChunk: (code) => ({
    // On one line each, as the imports are, so the map of the lines stays right: `null` says so.
    code: code.replace(/^import (?:(\w+)|\* as (\w+)|(\{[^}]*\})) from "(node:[\w/]+)";$/gm, takenApart),
    map: null,
  }),
};

function takenApart(_, whole, all, names, from) {
  const module = `process.getBuiltinModule("${from}")`;
  const taken = whole ?? all ?? names.replaceAll(' as ', ': ');
  return LATE.has(from) && names !== undefined ? lateFunctions(names, module) : `const ${taken} = ${module};`;
}

/** Take milliseconds to load, are needed by no command line that only prints, and consist of functions. */
const LATE = new Set(['node:crypto', 'node:fs/promises', 'node:stream/promises']);

const lateFunctions = (names, module) =>
  names
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim().split(' as '))
    .map(([name, local = name]) => `const ${local} = (...args) => ${module}.${name}(...args);`)
    .join(' ');

/**
 * A file that only hands on what another has is passed by whoever imports it when needed: each file takes a
 * millisecond. Returns what does so with the code of a file.
 */
function passFacades(output) {
  const facades = new Map(
    output.flatMap(({ fileName, code = '' }) => {
      const [, names, to] = /^export \{ ([^}]*) \} from "(\.[^"]+)";\s*$/.exec(code) ?? [];
      return to === undefined ? [] : [[fileName, { names, to: posix.join(posix.dirname(fileName), to) }]];
    }),
  );
  return (code, fileName) => {
    const from = posix.dirname(fileName);
    return code.replace(/\bimport\("(\.[^"]+)"\)/g, (whole, path) => {
      const facade = facades.get(posix.join(from, path));
      return facade ? `import("./${posix.relative(from, facade.to)}").then((all) => (${handed(facade.names)}))` : whole;
    });
  };
}

const handed = (names) =>
  `{ ${names
    .split(', ')
    .map((one) => one.split(' as '))
    .map(([inside, outside = inside]) => `${outside}: all.${inside}`)
    .join(', ')} }`;

/** One letter beyond ASCII would make the runtime keep the whole file with two bytes a letter. */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * A file for each set of loaders that share modules; the programs themselves stay apart, for they wait for the rest.
 */
function joinWhatIsLoadedTogether(from, loaders) {
  const loadedBy = new Map();
  const plugin = {
    name: 'join-what-is-loaded-together',
    buildEnd() {
      for (const [loader, starts] of Object.entries(loaders)) {
        const reached = new Set(starts.map((path) => `${from}/${path}`));
        const unknown = [...reached].find((id) => this.getModuleInfo(id) === null);
        if (unknown) throw new Error(`${unknown} is loaded first by ${loader}, and is not among what is joined.`);
        for (const id of reached) for (const next of this.getModuleInfo(id)?.importedIds ?? []) reached.add(next);
        for (const id of reached) loadedBy.set(id, [...(loadedBy.get(id) ?? []), loader]);
      }
    },
  };
  const name = (id) => {
    const loaders = loadedBy.get(id) ?? [];
    const others = loaders.filter((loader) => !AFTER_COMMAND.has(loader));
    return (others.includes('command') ? others : loaders).join('-') || null;
  };
  return { plugin, groups: [{ name, debugName: 'loaded together', includeDependenciesRecursively: false }] };
}

/**
 * `import.meta` of a module means the module's own place also when its text has moved into a shared file: threads,
 * folders to look into and the package's own files are named from there.
 */
const ownAddress = (from) => ({
  name: 'own-address',
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    const at = relative(from, id).split(sep).join('/').replace(/\.ts$/, '.js');
    // Nothing moves to another line, so the map of the lines stays right: `null` says so.
    return {
      code: code.replace(/import\.meta\b(?:\.(\w+))?/g, (_, what = 'all') => `__OWN_${what}__("${at}")`),
      map: null,
    };
  },
  renderChunk(code, { fileName }) {
    if (!code.includes('__OWN_')) return null;
    const placed = code.replace(/__OWN_(\w+?)__\("([^"]+)"\)/g, (_, what, at) =>
      addressOf(what, posix.relative(posix.dirname(fileName), at)),
    );
    return { code: placed, map: null };
  },
});

function addressOf(what, path) {
  const url = `new URL(${JSON.stringify(path)}, import.meta.url)`;
  const file = `process.getBuiltinModule("node:url").fileURLToPath(${url})`;
  const forms = {
    url: `${url}.href`,
    filename: file,
    dirname: `process.getBuiltinModule("node:path").dirname(${file})`,
  };
  if (what === 'all') return `({ ${Object.entries(forms).map(([name, form]) => `${name}: ${form}`)} })`;
  if (!(what in forms))
    throw new Error(`${path}: import.meta.${what} would mean the shared file; write it differently.`);
  return forms[what];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await joinModules(...process.argv.slice(2));
