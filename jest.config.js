import { availableParallelism } from 'node:os';
import laneSuites from './test/lanes/lane-suites.json' with { type: 'json' };
import slowSuites from './test/lanes/slow-suites.json' with { type: 'json' };

/** Native ES modules. swc only strips the types, so the code runs as written. */
export default {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  // Tests mostly wait for processes and servers; jest's default is one worker on two cores.
  maxWorkers: availableParallelism() + 2,
  roots: ['<rootDir>/test'],
  // jest's default is the temporary folder, which a run empties.
  cacheDirectory: '<rootDir>/.cache/jest',
  globalSetup: '<rootDir>/test/support/make-run-folder.ts',
  globalTeardown: '<rootDir>/test/support/check-run-folder.ts',
  testMatch: ['**/*.test.ts'],
  // They need servers, a built package, or much processor time, so they run in their own lanes.
  testPathIgnorePatterns: ['/node_modules/', ...laneSuites, ...slowSuites],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        // Without the attributes, Node rejects, or warns about, the import of a JSON file.
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  setupFilesAfterEnv: ['<rootDir>/test/support/declared-errors.ts'],
  testTimeout: 120_000,
};
