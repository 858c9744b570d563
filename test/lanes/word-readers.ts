import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import yauzl from 'yauzl';
import { commentDocx } from '../../lib/formats/office/comment-docx.ts';
import { sentencesOfBlocks } from '../../lib/verify/draft/draft.ts';
import { readWordDraft } from '../../lib/verify/draft/word-draft.ts';
import { installOnce } from '../support/install-once.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { makeWordDraft } from '../support/word-drafts.ts';
import { installPython, runCommand } from './servers/install.ts';

/**
 * Opens commented drafts with other readers of Word documents: python-docx, and Apache POI, which also
 * validates them by the standard's schemas. `npm run test:word -- 200`: this many random drafts (60 by
 * default), and real documents.
 */
const HERE = resolve(import.meta.dirname, 'word-readers');
const ROOT = resolve(import.meta.dirname, '../..');
const PYTHON_DOCX = '1.2.0';
const POI = '5.4.1';
const REAL = [
  join(ROOT, 'test/golden/documents/apes.docx'),
  ...'comments endnotes footnote-hyperlink footnotes simple-list tables text-box utf8-bom underline'
    .split(' ')
    .map((name) => join(ROOT, 'node_modules/mammoth/test/test-data', `${name}.docx`)),
];

interface Case {
  before: string;
  after: string;
  main: string;
  comments: string[];
}

const python = await installOnce('python-docx', PYTHON_DOCX, (folder) =>
  installPython(folder, '3.9', [`python-docx==${PYTHON_DOCX}`]),
);
const poi = await installOnce('poi-ooxml', POI, async (folder) => {
  const pom = join(HERE, 'pom.xml');
  await runCommand('mvn', [
    '-q',
    '-B',
    '-f',
    pom,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${folder}`,
  ]);
});
const work = await tempFolder();
try {
  const cases = [...(await realCases()), ...(await randomCases(Number(process.argv[2] ?? 60)))];
  const list = join(work, 'cases.json');
  await writeFile(list, JSON.stringify(cases));
  const pairs = join(work, 'pairs.txt');
  await writeFile(pairs, cases.flatMap(({ before, after }) => [before, after]).join('\n'));
  const program = join(HERE, 'ReadComments.java');
  console.log(
    `python-docx ${PYTHON_DOCX}  ${await read(join(python, 'bin/python'), join(HERE, 'read_comments.py'), list)}`,
  );
  console.log(`Apache POI ${POI}   ${await read('java', '-Xmx1g', '-cp', join(poi, '*'), program, pairs)}`);
} finally {
  await cleanUp();
}

async function read(program: string, ...args: string[]): Promise<string> {
  try {
    return (await runCommand(program, args)).trim();
  } catch (error) {
    process.exitCode = 1;
    return String(error);
  }
}

async function realCases(): Promise<Case[]> {
  return Promise.all(REAL.map(async (file) => makeCase(basename(file, '.docx'), await readFile(file))));
}

/** Neither reader supports the strict variant of the standard. */
async function randomCases(count: number): Promise<Case[]> {
  const cases: Case[] = [];
  for (let seed = 0; cases.length < count; seed++) {
    const { bytes, entries, sentences } = await makeWordDraft(seed);
    const isStrict = entries.get('_rels/.rels')?.includes('purl.oclc.org');
    if (!isStrict && sentences.length > 0) cases.push(await makeCase(`random-${seed}`, bytes));
  }
  return cases;
}

async function makeCase(name: string, bytes: Uint8Array): Promise<Case> {
  const { main, blocks } = await readWordDraft(yauzl, bytes);
  const comments = sentencesOfBlocks(blocks).map(({ start, end, text }) => ({
    ...{ start, end },
    text: `Verdict on ${text.replace(/\s+/g, ' ')}`,
  }));
  const [before, after] = [join(work, `${name}.docx`), join(work, `${name}-commented.docx`)];
  await writeFile(before, bytes);
  await writeFile(
    after,
    await commentDocx(yauzl, bytes, await readWordDraft(yauzl, bytes), { comments, at: new Date() }),
  );
  return { before, after, main, comments: comments.map(({ text }) => text) };
}
