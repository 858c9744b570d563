/** The arrows of the house: functions → adapters → areas → ports and the ground floor. No circles. */
const groundFloor = '^lib/(errors|config|log|identifiers|same-secret)\\.ts$';
const areas = '^lib/(?!adapters/|http/|queue/|ports/)[^/]+/';

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
      name: 'only-handlers-name-adapters',
      severity: 'error',
      from: { path: '^functions/', pathNot: '/handler\\.ts$' },
      to: { path: '^lib/adapters/' },
    },
    {
      name: 'areas-know-no-adapters',
      severity: 'error',
      from: { path: `${areas}|^lib/(http|queue|ports)/` },
      to: { path: '^lib/adapters/' },
    },
    {
      name: 'ports-know-no-areas',
      severity: 'error',
      from: { path: '^lib/ports/' },
      to: { path: '^lib/', pathNot: `^lib/ports/|${groundFloor}` },
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
