import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { markOf, missingIn } from '../../../../lib/api-contract/findings.ts';
import { readConfig } from '../../../../lib/config.ts';
import { sha256 } from '../../../../lib/paths/hash.ts';
import { citeAll } from '../../../../lib/retrieval/cite/cite.ts';
import { openObjects } from '../../../../lib/wiring/objects.ts';
import { openRecords } from '../../../../lib/wiring/records.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { SOURCES } from './marked-sources.ts';
import { PLACED_SOURCES } from './placed-sources.ts';

const workspace = { id: 'w', name: 'w', rootPath: await tempFolder(), createdAt: '' };
const config = readConfig({ DATA_DIR: await tempFolder() });
const ports = { objects: await openObjects(config), records: await openRecords(config) };

/** Returns the marks of sentences that cite a file, and the facts that they name. */
async function marksOf(path: string, text: string, claims: string[]) {
  await writeFile(join(workspace.rootPath, path), text);
  const place = { startLine: 1, endLine: text.split('\n').length, startChar: 0, endChar: text.length };
  const passage = {
    path,
    chunk: 0,
    fileHash: await sha256(Buffer.from(text)),
    text,
    ...place,
    part: {},
    context: '',
  };
  return Promise.all(
    claims.map(async (claim) => {
      const [citation] = await citeAll(ports, workspace, [{ index: 1, passage, claim }]);
      const { support = 'unjudged', findings } = citation ?? {};
      return { claim, mark: markOf(support), named: missingIn(findings).join(', '), findings };
    }),
  );
}

describe.each([...SOURCES, ...PLACED_SOURCES].map((source, at) => [at, source] as const))(
  'the marks of source %i',
  (at, source) => {
    const path = `${at}.md`;

    it('flag no statement of the source', async () => {
      const marks = await marksOf(path, source.text, source.says);
      expect(marks.filter(({ mark }) => mark !== 'facts_found')).toEqual([]);
    });

    it('name the invented facts', async () => {
      const marks = await marksOf(
        path,
        source.text,
        source.invented.map(([claim]) => claim),
      );
      const unnamed = marks.filter(({ mark, named, findings = [] }, n) => {
        const wanted = source.invented[n]?.slice(1) ?? [];
        const words = `${named} ${findings.map(({ own }) => own).join(' ')}`;
        return mark === 'facts_found' || !wanted.every((word) => words.includes(word));
      });
      expect(unnamed).toEqual([]);
    });
  },
);
