const storeys = require('./infra/storeys.json');

/** The arrows of the house: functions → doors → the storeys of lib/, each on those below it, down to the ground floor. */
const groundFloor = '^lib/[^/]+\\.ts$';

function areasOf(some) {
  return some.flatMap((storey) => storey.areas).join('|');
}

/** An area imports those of lower storeys alone: none of its own storey, and none above. */
function pointsDown({ storey }, index) {
  return {
    name: `arrows-point-down-from-${storey}`,
    severity: 'error',
    from: { path: `^lib/(${areasOf([storeys[index]])})/` },
    to: { path: `^lib/(${areasOf(storeys.slice(index))})/`, pathNot: '^lib/$1/' },
  };
}

module.exports = {
  forbidden: [
    ...storeys.map(pointsDown),
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
      from: { path: '^(functions|lib)/', pathNot: '^functions/[^/]+/handler\\.ts$|^lib/wiring/' },
      to: { path: '^lib/wiring/' },
    },
    {
      // What a bot adds to a platform, its worker hands in.
      name: 'choose-knows-no-bots',
      severity: 'error',
      from: { path: '^lib/wiring/' },
      to: { path: '^lib/(bots|http)/' },
    },
    {
      // The secrets' file is written under the lock of the database in the same folder.
      name: 'adapters-do-not-import-each-other',
      severity: 'error',
      from: { path: '^lib/adapters/([^/]+)/', pathNot: '^lib/adapters/disk/secrets\\.ts$' },
      to: { path: '^lib/adapters/', pathNot: '^lib/adapters/($1|outbound|git|process)/' },
    },
    {
      // The git program is started as the commands of its workspace are.
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
      name: 'ground-floor-knows-nothing',
      severity: 'error',
      from: { path: groundFloor },
      to: { path: '^lib/', pathNot: groundFloor },
    },
    {
      name: 'an-sdk-only-in-its-adapter',
      severity: 'error',
      from: { path: '^(lib|functions)/', pathNot: '^lib/adapters/' },
      to: {
        path: 'node_modules/(openai|@anthropic-ai|@lancedb|apache-arrow|@aws-sdk|@kubernetes|@vscode|isomorphic-git|undici|@larksuiteoapi|ogg-opus-decoder|@opentelemetry)/',
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
      // `wrs` is a client of the API: backup and doctor are programs of infra/ that it runs. Of lib/ it knows the shapes,
      // by `import type`, and the words for a place, which this parser cannot tell from others: test/cli/imports.test.ts does.
      name: 'the-command-line-is-a-client',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^(functions|test)/' },
    },
    {
      name: 'nobody-imports-the-command-line',
      severity: 'error',
      from: { path: '^(lib|functions|infra)/' },
      to: { path: '^cli/' },
    },
    {
      // What the console itself imports test/web/imports.test.ts holds: this parser reads no JSX.
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
