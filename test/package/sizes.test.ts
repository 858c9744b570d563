import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_UNPACKED_MB, MAX_ZIPPED_MB, measurePackage, type PackageMeasure } from '../bench/package.ts';
import { packagedFunctions } from '../lanes/packaged-service.ts';

/** The limit at which Lambda gives up. test/bench/package.ts measures how much faster the functions are. */
const MAX_INIT_MS = 10_000;

const measures = new Map<string, PackageMeasure>();
let emptyInitMs = 0;

beforeAll(async () => {
  const measured = await measurePackage(1);
  emptyInitMs = measured.emptyInitMs;
  for (const measure of measured.functions) measures.set(measure.name, measure);
}, 300_000);

afterAll(() => {
  const rows = [...measures.values()].map((row) =>
    [
      row.name.padEnd(14),
      `${row.zippedMb.toFixed(2)} MB zipped`.padStart(16),
      `${row.unpackedMb.toFixed(2)} MB`.padStart(10),
      `init ${Math.round(row.initMs)} ms (aim ${row.aimMs})`.padStart(24),
      `${row.rssMb} MB memory`.padStart(16),
    ].join(' '),
  );
  const empty = `an empty function starts in ${Math.round(emptyInitMs)} ms`;
  process.stderr.write(`${[...rows, empty].join('\n')}\n`);
});

describe.each(packagedFunctions().map(({ name }) => name))('the package of %s', (name) => {
  const measure = () => measures.get(name) as PackageMeasure;

  it('starts in the real runtime client without sending anything, except for the authorizer', () => {
    expect(measure().initMs).toBeLessThan(MAX_INIT_MS);
    expect(measure().requests).toBe(name === 'authorizer' ? 1 : 0);
  });

  it('is well below the limit of Lambda', () => {
    const { unpackedMb, zippedMb } = measure();
    expect(unpackedMb).toBeLessThan(MAX_UNPACKED_MB);
    expect(zippedMb).toBeLessThan(MAX_ZIPPED_MB);
  });

  it('includes the layer with the native LanceDB library only where LanceDB is used', () => {
    expect(measure().hasLancedb).toBe(measure().usesLancedb);
  });

  it('includes the CMaps only where PDFs are read', () => {
    expect(measure().carriesCmaps).toBe(measure().usesCmaps);
  });

  it('contains no folder watcher', () => {
    expect(measure().watchesFolders).toBe(false);
  });
});

describe('functions without the file system', () => {
  it('create nothing at the mount path', () => {
    expect(existsSync('/mnt/data')).toBe(false);
  });
});
