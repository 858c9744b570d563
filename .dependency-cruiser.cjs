/** The arrows of the house: functions → choose → adapters and areas → ports and the ground floor. No circles. */
const groundFloor = '^lib/(errors|config|log|identifiers|same-secret|cut-text)\\.ts$';
const areas = '^lib/(?!adapters/|choose/|http/|queue/|ports/|records/|paths/|access/)[^/]+/';

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'lib-never-imports-functions',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(functions|infra|test)/' },
    },
    {
      name: 'a-function-never-imports-another',
      severity: 'error',
      from: { path: '^functions/([^/]+)/' },
      to: { path: '^functions/', pathNot: '^functions/$1/' },
    },
    {
      name: 'only-handlers-and-choose-name-adapters',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^functions/[^/]+/handler\\.ts$|^lib/(choose|adapters)/' },
      to: { path: '^lib/adapters/' },
    },
    {
      name: 'nobody-but-entries-imports-choose',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^functions/[^/]+/handler\\.ts$|^lib/choose/' },
      to: { path: '^lib/choose/' },
    },
    {
      // What a bot adds to a platform, its worker hands in.
      name: 'choose-knows-no-bots',
      severity: 'error',
      from: { path: '^lib/choose/' },
      to: { path: '^lib/(bots|http)/' },
    },
    {
      name: 'adapters-know-no-areas',
      severity: 'error',
      from: { path: '^lib/adapters/' },
      to: {
        path: '^lib/',
        pathNot: `^lib/(adapters|ports|records|paths)/|^lib/queue/offload\\.ts$|^lib/formats/decode\\.ts$|${groundFloor}`,
      },
    },
    {
      // The secrets' file is written under the lock of the database in the same folder.
      name: 'adapters-do-not-import-each-other',
      severity: 'error',
      from: { path: '^lib/adapters/([^/]+)/', pathNot: '^lib/adapters/disk/secrets\\.ts$' },
      to: { path: '^lib/adapters/', pathNot: '^lib/adapters/($1|outbound|git)/' },
    },
    {
      name: 'only-the-two-gits-share-git',
      severity: 'error',
      from: {
        path: '^(functions|lib)/',
        pathNot: '^lib/adapters/(git|git-program|isomorphic-git)/|^lib/choose/',
      },
      to: { path: '^lib/adapters/git/' },
    },
    {
      name: 'ports-know-no-areas',
      severity: 'error',
      from: { path: '^lib/(ports|records)/' },
      to: { path: '^lib/', pathNot: `^lib/(ports|records)/|${groundFloor}` },
    },
    {
      name: 'ground-floor-knows-nothing',
      severity: 'error',
      from: { path: groundFloor },
      to: { path: '^lib/', pathNot: groundFloor },
    },
    {
      name: 'http-and-queue-know-no-areas',
      severity: 'error',
      from: { path: '^lib/(http|queue)/' },
      to: { path: areas },
    },
    {
      name: 'an-sdk-only-in-its-adapter',
      severity: 'error',
      from: { path: '^(lib|functions)/', pathNot: '^lib/adapters/' },
      to: {
        path: 'node_modules/(openai|@anthropic-ai|@lancedb|apache-arrow|@aws-sdk|@kubernetes|@vscode|isomorphic-git|undici|@larksuiteoapi|ogg-opus-decoder)/',
      },
    },
    {
      name: 'sqlite-only-in-its-adapter',
      severity: 'error',
      from: { path: '^(lib|functions)/', pathNot: '^lib/adapters/sqlite/' },
      to: { path: '^(node:)?sqlite$' },
    },
    {
      name: 'event-types-only-in-http-and-queue',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/(http|queue)/' },
      to: { path: 'aws-lambda' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^(lib|functions)/', pathNot: '^lib/ports/' },
      to: {},
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
