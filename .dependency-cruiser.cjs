const { layers, exceptions } = require('./infra/layers.json');

/** Imports point down: functions → lib's layers from entry to core → the files at the root of lib/. */
const root = '^lib/[^/]+\\.ts$';

/** An area imports only lower layers, and no area of its own layer, except for the exceptions. */
function importsOnlyLowerLayers({ layer, areas }, index) {
  const refused = layers.slice(index).flatMap((other) => other.areas);
  return areas.map((area) => {
    const allowed = exceptions.filter(({ from }) => from.includes(area)).map(({ to }) => to);
    return {
      name: `${layer}-imports-only-lower-layers`,
      severity: 'error',
      from: { path: `^lib/${area}/` },
      to: { path: `^lib/(${refused.join('|')})/`, pathNot: `^lib/(${[area, ...allowed].join('|')})/` },
    };
  });
}

module.exports = {
  forbidden: [
    ...layers.flatMap(importsOnlyLowerLayers),
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
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
      name: 'only-handlers-and-wiring-import-adapters',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^functions/[^/]+/handler\\.ts$|^lib/(wiring|adapters)/' },
      to: { path: '^lib/adapters/' },
    },
    {
      name: 'only-handlers-import-wiring',
      severity: 'error',
      from: { path: '^(functions|lib)/', pathNot: '^functions/[^/]+/handler\\.ts$|^lib/wiring/' },
      to: { path: '^lib/wiring/' },
    },
    {
      // A bot's worker passes in what the bot adds to its platform.
      name: 'wiring-imports-no-entry-points',
      severity: 'error',
      from: { path: '^lib/wiring/' },
      to: { path: '^lib/(bots|http)/' },
    },
    {
      // The secrets file is written under the lock of the database in the same folder.
      name: 'adapters-do-not-import-each-other',
      severity: 'error',
      from: { path: '^lib/adapters/([^/]+)/', pathNot: '^lib/adapters/disk/secrets\\.ts$' },
      to: { path: '^lib/adapters/', pathNot: '^lib/adapters/($1|outbound|git|process)/' },
    },
    {
      // The git program starts in the same way as the commands of its workspace.
      name: 'only-the-git-program-shares-process',
      severity: 'error',
      from: { path: '^lib/adapters/', pathNot: '^lib/adapters/(process|git-program)/' },
      to: { path: '^lib/adapters/process/' },
    },
    {
      name: 'only-the-two-gits-share-git',
      severity: 'error',
      from: {
        path: '^(functions|lib)/',
        pathNot: '^lib/adapters/(git|git-program|isomorphic-git)/|^lib/wiring/',
      },
      to: { path: '^lib/adapters/git/' },
    },
    {
      // lib/config.ts joins the settings of lib/config/, and sets the stage of the metrics. The contract imports nothing.
      name: 'the-root-imports-only-contract-config-and-telemetry',
      severity: 'error',
      from: { path: root },
      to: { path: '^lib/', pathNot: `${root}|^lib/(api-contract|config|telemetry)/` },
    },
    {
      name: 'an-sdk-only-in-its-adapter',
      severity: 'error',
      from: { path: '^(lib|functions)/', pathNot: '^lib/adapters/' },
      to: {
        path: 'node_modules/(openai|@anthropic-ai|@lancedb|apache-arrow|@aws-sdk|@kubernetes|@vscode|isomorphic-git|undici|@larksuiteoapi|ogg-opus-decoder|@opentelemetry|@parcel)/',
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
      // The console imports it, too, so it runs in a browser: no `node:`, no zod, and no module that imports
      // them.
      name: 'the-api-contract-imports-nothing-else',
      severity: 'error',
      from: { path: '^lib/api-contract/' },
      to: { pathNot: '^lib/api-contract/|node_modules/(croner|eventsource-parser)/' },
    },
    {
      // `wrs` is a client of the API; backup and doctor are programs of infra/ that it runs.
      name: 'the-command-line-is-a-client',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^(functions|test|lib)/', pathNot: '^lib/(api-contract|error-messages)/' },
    },
    {
      name: 'nobody-imports-the-command-line',
      severity: 'error',
      from: { path: '^(lib|functions|infra)/' },
      to: { path: '^cli/' },
    },
    {
      // This parser doesn't read JSX, so test/web/imports.test.ts checks the console's imports.
      name: 'nobody-imports-the-console',
      severity: 'error',
      from: { path: '^(lib|functions|infra|cli)/' },
      to: { path: '^web/' },
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
