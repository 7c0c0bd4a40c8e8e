/** The walls (`docs/design/architecture.md`). Each rule's name is the sentence a developer reads when it breaks. */

const TESTS = String.raw`\.test\.ts$|/fake[^/]*\.ts$|/harness\.ts$|^src/testing/`;
const ALWAYS = ['core', 'platform', 'config'];
/** A step of the pipeline; `outbound/`, `command-host/` and `understander/` put steps together. */
const STEP = '^src/pipeline/(?!outbound/|command-host/|understander/)([^/]+)/';
const MACHINE = '^(node:)?(fs|fs/promises|child_process|cluster|net|tls|dgram|dns|dns/promises|os|http|https|http2|worker_threads|sqlite)$';

/** The files of the protocol that the Control UI loads; everything else there is types to it. */
const BROWSER_CODE = String.raw`^src/protocol/(client-info|device-proof|presence|version)\.ts$`;

/** Everything under `src/<from>` may import itself, the folders named, and npm; nothing else of ours. */
const only = (name, from, may) => ({
  name,
  severity: 'error',
  from: { path: `^src/${from}/`, pathNot: TESTS },
  to: { path: '^src/', pathNot: [`^src/${from}/`, ...may.map((folder) => `^src/${folder}(/|\\.ts$)`)] },
});

/** A plugin folder sees the sdk and itself: not its siblings, not the product. */
const sdkOnly = (kind) => ({
  name: `${kind}-import-only-the-sdk`,
  severity: 'error',
  from: { path: `^src/${kind}/([^/]+)/`, pathNot: TESTS },
  to: { path: '^src/', pathNot: ['^src/sdk/', `^src/${kind}/$1/`] },
});

/** Modules of Node that only some may use; `allowed` are those this row leaves out. */
const builtin = (name, from, to, except = [], allowed = '^$') => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: [TESTS, ...except] },
  to: { dependencyTypes: ['core'], path: to, pathNot: allowed },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },

    only('core-knows-nothing', 'core', []),
    { name: 'core-borrows-the-types-of-two-specifications', severity: 'error', from: { path: '^src/core/', pathNot: TESTS }, to: { path: 'node_modules', pathNot: '/(zod|@ai-sdk/provider)/' } },
    { name: 'core-borrows-types-only', severity: 'error', from: { path: '^src/core/', pathNot: TESTS }, to: { path: 'node_modules', dependencyTypesNot: ['type-only'] } },
    {
      name: 'only-who-takes-words-off-the-wire-makes-them-said', severity: 'error',
      from: { path: '^src/', pathNot: [TESTS, '^src/(sdk/said|services/chat-service|channel-host/(channel-inbound|access/(access-service|access-gate))|pipeline/compose)\\.ts$'] },
      to: { path: '^src/core/saying\\.ts$' },
    },
    { name: 'only-channels-make-words-said', severity: 'error', from: { path: '^src/', pathNot: [TESTS, '^src/channels/'] }, to: { path: '^src/sdk/said\\.ts$' } },
    only('protocol-knows-core', 'protocol', ['core']),
    only('platform-knows-core', 'platform', ['core']),
    only('config-knows-core-and-platform', 'config', ['core', 'platform']),
    only('documents-know-core-and-platform', 'documents', ['core', 'platform']),
    only('link-understand-is-a-program-of-its-own', 'link-understand', ['core', 'platform', 'documents']),
    only('journal-sits-on-the-base', 'journal', ALWAYS),
    {
      name: 'the-journal-is-known-by-its-interface', severity: 'error',
      from: { path: '^src/', pathNot: [TESTS, '^src/journal/'] },
      to: { path: '^src/journal/', pathNot: '^src/journal/(journal|rows|tables|create-journal|housekeeping)\\.ts$' },
    },
    only('sessions-sit-on-the-base', 'sessions', ALWAYS),
    only('plugins-sit-on-the-base', 'plugins', [...ALWAYS, 'host']),
    {
      name: 'the-host-borrows-types-from-above', severity: 'error',
      from: { path: '^src/host/', pathNot: TESTS },
      to: { path: '^src/(agent|schema)', dependencyTypesNot: ['type-only'] },
    },
    only('host-sits-on-journal-and-sessions', 'host', [...ALWAYS, 'protocol', 'journal', 'sessions', 'agent', 'schema']),
    only('agent-sits-on-sessions-and-journal', 'agent', [...ALWAYS, 'sessions', 'journal', 'host']),
    {
      name: 'a-feature-imports-the-host-and-what-it-stands-on', severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: [TESTS, '/(cli|audit|doctor|commands)\\.ts$|/commands/', '^src/features/[^/]+/tools/'] },
      to: { path: '^src/', pathNot: ['^src/(core|protocol|platform|config|journal|sessions|host)/', '^src/features/$1/'] },
    },
    {
      name: 'command-lines-of-a-feature-are-gateway-clients', severity: 'error',
      from: { path: '^src/features/([^/]+)/((cli|audit|doctor|commands)\\.ts$|commands/)', pathNot: TESTS },
      to: { path: '^src/', pathNot: ['^src/(core|protocol|platform|config|cli|pipeline/understanding/links)/', '^src/features/$1/'] },
    },
    {
      name: 'a-page-of-a-feature-runs-in-browsers', severity: 'error',
      from: { path: '^src/features/([^/]+)/page/', pathNot: TESTS },
      to: { path: '^src/', pathNot: ['^src/(core|protocol)/', '^src/features/$1/page/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'a-viewer-of-a-feature-runs-in-browsers', severity: 'error',
      from: { path: '^src/features/([^/]+)/(viewer|surface)/', pathNot: TESTS },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/protocol/(device-proof|node-invoke)\\.ts$', '^src/features/$1/(viewer|surface)/'] },
    },
    {
      name: 'what-a-feature-touches-of-the-machine-stands-on-platform', severity: 'error',
      from: { path: '^src/features/([^/]+)/platform/', pathNot: TESTS },
      to: { path: '^src/', pathNot: ['^src/(core|platform)/', '^src/features/$1/platform/'] },
    },
    { name: 'only-pages-of-features-know-the-control-ui', severity: 'error', from: { path: '^src/', pathNot: [TESTS, '^src/features/[^/]+/page/'] }, to: { path: '^ui/' } },
    { name: 'nobody-imports-a-feature', severity: 'error', from: { path: '^src/', pathNot: [TESTS, '^src/features/'] }, to: { path: '^src/features/' } },
    {
      name: 'the-control-ui-knows-only-the-protocol', severity: 'error',
      from: { path: '^ui/', pathNot: TESTS },
      to: { path: '^src/', pathNot: ['^src/protocol/', '^src/core/(backoff|cut)\\.ts$', '^src/features/[^/]+/page/'] },
    },
    {
      name: 'the-control-ui-borrows-types-of-the-protocol', severity: 'error',
      from: { path: '^ui/', pathNot: TESTS },
      to: { path: '^src/protocol/', pathNot: BROWSER_CODE, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'what-browsers-load-of-the-protocol-needs-no-library', severity: 'error',
      from: { path: BROWSER_CODE },
      to: { path: '(^src/protocol/|node_modules)', pathNot: BROWSER_CODE, dependencyTypesNot: ['type-only'] },
    },
    only('pipeline-sits-on-agent-sessions-and-journal', 'pipeline', [...ALWAYS, 'documents', 'agent', 'sessions', 'journal', 'host']),
    { name: 'only-understanding-reads-documents', severity: 'error', from: { path: '^src/', pathNot: [TESTS, '^src/(documents|link-understand|pipeline/understand(?:ing|er))/', '^src/pipeline/outbound/file-type\\.ts$'] }, to: { path: '^src/documents/' } },
    { name: 'steps-know-neither-agent-nor-journal', severity: 'error', from: { path: STEP, pathNot: TESTS }, to: { path: '^src/(agent|journal|host)/' } },
    { name: 'steps-have-never-met', severity: 'error', from: { path: STEP, pathNot: TESTS }, to: { path: '^src/pipeline/', pathNot: '^src/pipeline/$1/' } },
    { name: 'outbound-and-command-host-have-never-met', severity: 'error', from: { path: '^src/pipeline/(outbound|command-host|understander)/', pathNot: TESTS }, to: { path: '^src/pipeline/(outbound|command-host|understander)/', pathNot: '^src/pipeline/$1/' } },
    only('channel-host-sits-on-the-pipeline', 'channel-host', [...ALWAYS, 'protocol', 'journal', 'sessions', 'host', 'plugins', 'agent', 'pipeline', 'schema']),
    only('tool-methods-sit-on-agent-and-delivery', 'tool-methods', [...ALWAYS, 'protocol', 'sessions', 'host', 'agent', 'pipeline/outbound', 'schema']),
    only('services-sit-on-pipeline-and-channel-host', 'services', [...ALWAYS, 'journal', 'sessions', 'host', 'agent', 'pipeline', 'channel-host', 'tool-methods', 'schema']),
    { name: 'above-the-pipeline-the-schema-is-a-type', severity: 'error', from: { path: '^src/(channel-host|services|tool-methods)/', pathNot: TESTS }, to: { path: '^src/schema', dependencyTypesNot: ['type-only'] } },
    only('gateway-gets-the-rest-as-functions', 'gateway', [...ALWAYS, 'protocol', 'sessions', 'plugins', 'host']),
    only('sdk-shows-a-chosen-few', 'sdk', ['core', 'protocol', 'platform', 'config/channel-config', 'config/channel-rules']),
    sdkOnly('channels'),
    sdkOnly('providers'),
    sdkOnly('tools'),
    {
      name: 'tools-of-features-and-channels-import-only-the-sdk', severity: 'error',
      from: { path: '^src/(features|channels)/([^/]+)/tools/([^/]+)/', pathNot: TESTS },
      to: { path: '^src/', pathNot: ['^src/sdk/', '^src/$1/$2/tools/$3/'] },
    },
    only('cli-is-a-gateway-client', 'cli', [...ALWAYS, 'protocol', 'plugins', 'schema', 'gateway/client', 'pipeline/access/pairing-store']),
    only('node-host-is-a-gateway-client', 'node-host', [...ALWAYS, 'protocol', 'schema', 'gateway/client']),
    { name: 'only-main-knows-the-app', severity: 'error', from: { path: '^src/', pathNot: [TESTS, '^src/(main\\.ts$|app/|app\\.ts$)'] }, to: { path: '^src/(app/|(app|main)\\.ts$)' } },
    { name: 'schema-only-joins-slices', severity: 'error', from: { path: '^src/schema\\.ts$' }, to: { path: '^src/', pathNot: '[/-]config\\.ts$|^src/config/(extend-schema|secret-length|setting-rules)\\.ts$' } },

    builtin('only-platform-touches-the-machine', '^src/', MACHINE, ['^src/features/[^/]+/(platform/|bench\\.mjs$)', '^src/(platform|app|gateway|cli|channels|documents|host/http)/', '^src/app\\.ts$']),
    builtin('host-adds-only-http', '^src/host/', MACHINE, [], '^(node:)?http$'),
    builtin('documents-are-read-in-a-worker', '^src/documents/', MACHINE, [], '^(node:)?worker_threads$'),
    builtin('gateway-adds-only-its-server', '^src/gateway/', MACHINE, [], '^(node:)?(http|https|net)$'),
    builtin('cli-and-channels-add-only-their-transport', '^src/(cli|channels)/', MACHINE, [], '^(node:)?(http|https)$'),
    { name: 'tests-help-only-tests', severity: 'error', from: { path: '^src/', pathNot: TESTS }, to: { path: TESTS } },
    { name: 'tests-bring-their-own-tools', severity: 'error', from: { path: '^src/', pathNot: [TESTS, '^src/features/[^/]+/((page|viewer)/|bench\\.mjs$)'] }, to: { dependencyTypes: ['npm-dev'] } },
    { name: 'every-import-resolves', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
