import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { extensionsOf } from '../../../../lib/api-contract/file-kinds.ts';
import { readConfig } from '../../../../lib/config.ts';
import { correctDocument } from '../../../../lib/documents/documents.ts';
import { documentReferences } from '../../../../lib/documents/references.ts';
import { fileRecordKey } from '../../../../lib/documents/schema.ts';
import type { Records } from '../../../../lib/ports/records.ts';
import type { SearchScope } from '../../../../lib/ports/vectors.ts';
import type { SearchFilter } from '../../../../lib/retrieval/filter/filter-schema.ts';
import { filteredScope } from '../../../../lib/retrieval/filter/filtered-scope.ts';
import { openRecords } from '../../../../lib/wiring/records.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const INDEX = { workspaceId: 'w', space: 's', commits: 1 };
const NO_RECORDS = {} as Records;
/** More than a page of records has. */
const MANY = 2500;

let records: Records;

beforeAll(async () => {
  records = await openRecords(readConfig({ DATA_DIR: await tempFolder() }));
  const stored = Array.from({ length: MANY }, (_, at) => {
    const path = `${String(at).padStart(4, '0')}.md`;
    const document = { authors: ['Ann Sand'], year: 1000 + (at % 1900) };
    return {
      key: fileRecordKey({ workspaceId: 'w', path }),
      value: { path, hash: 'h', mtimeMs: at, document },
    };
  });
  await records.putMany(stored);
});

function scopeOf(filter: SearchFilter, scope?: SearchScope): Promise<SearchScope> {
  return filteredScope(records, INDEX, filter, scope);
}

describe('filteredScope', () => {
  it('reads no record for kinds and paths', async () => {
    const filter = { kind: 'pdf', path: 'papers' } as const;
    expect(await filteredScope(NO_RECORDS, INDEX, filter)).toEqual({
      ...{ paths: ['papers'], extensions: extensionsOf('pdf') },
    });
    expect(await filteredScope(NO_RECORDS, INDEX, {}, { paths: ['a'] })).toEqual({ paths: ['a'] });
    expect(await filteredScope(NO_RECORDS, INDEX, { path: '' }, { paths: ['a'] })).toEqual({ paths: ['a'] });
  });

  it('returns the files of all pages of records that match', async () => {
    expect(await scopeOf({ year: { from: 1499, to: 1499 } })).toEqual({ files: ['0499.md', '2399.md'] });
    expect((await scopeOf({ author: 'Sand' })).files).toHaveLength(MANY);
    expect(await scopeOf({ author: 'Nobody' })).toEqual({ files: [] });
  });

  it('matches what a bibliography says about a file, as its title shows it', async () => {
    const of = { workspaceId: 'w', path: '0007.md' };
    await documentReferences.put(records, { ...of, entry: 'e', authors: ['Bea Moreau'], year: 2024 });
    expect(await scopeOf({ author: 'Moreau', year: { from: 2024 } })).toEqual({ files: ['0007.md'] });
    await documentReferences.delete(records, of);
    expect(await scopeOf({ author: 'Moreau' })).toEqual({ files: [] });
  });

  it('keeps the files and types to which the search is limited already', async () => {
    const scope = { paths: ['0499.md'], extensions: ['md'] };
    expect(await scopeOf({ year: { to: 1499 }, path: '0499.md' }, scope)).toEqual({
      ...scope,
      files: ['0499.md'],
    });
    expect(await scopeOf({ kind: 'pdf' }, scope)).toEqual({ ...scope, files: [] });
  });

  it('reads changed files after the next commit, and the others only once', async () => {
    const value = { path: '0000.md', hash: 'h', mtimeMs: 5, document: { authors: ['Cleo Night'] } };
    const changed = { ...INDEX, workspaceId: 'changed' };
    expect(await filteredScope(records, changed, { author: 'Night' })).toEqual({ files: [] });
    await records.putMany([{ key: fileRecordKey({ workspaceId: 'changed', path: '0000.md' }), value }]);
    const next = { ...changed, commits: 2 };
    expect(await filteredScope(records, next, { author: 'Night' })).toEqual({ files: ['0000.md'] });
    const query = jest.spyOn(records, 'query');
    await filteredScope(records, next, { author: 'Sand' });
    expect(query.mock.calls.map(([{ partition }]) => partition)).toEqual([
      'DOCUMENTS#changed',
      'DOCUMENT_REFERENCES#changed',
      'PROVENANCE#changed',
    ]);
    query.mockRestore();
  });

  it('uses the corrections of people, and not those of another workspace', async () => {
    const id = { workspaceId: 'corrected', path: '0007.md' };
    const value = { path: id.path, hash: 'h', mtimeMs: 5, document: { authors: ['Ann Sand'] } };
    await records.putMany([{ key: fileRecordKey(id), value }]);
    await correctDocument(records, id, { authors: ['Bea Moreau'], tags: ['x'] });
    const corrected = { ...INDEX, workspaceId: id.workspaceId };
    expect(await filteredScope(records, corrected, { author: 'Moreau', tag: 'x' })).toEqual({
      files: ['0007.md'],
    });
    expect(await scopeOf({ author: 'Moreau' })).toEqual({ files: [] });
  });
});
