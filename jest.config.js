/** Native ES modules; swc only strips the types, so what runs is what was written. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // They need servers, or a built package: scripts of their own run them.
  testPathIgnorePatterns: [
    '/node_modules/',
    '/test/aws/',
    '/test/package/',
    '/test/deploy/',
    // Minutes of downloads, killed and paused: npm run test:datasets (issue 7 is still open).
    '/test/lib/datasets/(download|killed-downloads|random-transitions|tend)\\.test',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        // Without the attributes Node refuses, or warns of, the import of a JSON file.
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testTimeout: 20_000,
};
