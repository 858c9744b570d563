import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { commitMessages } from '../../../lib/indexing/commit/commit.ts';
import { touchIndex } from '../../../lib/indexing/enqueue.ts';
import { findSkippedFiles, namesIn } from '../../../lib/indexing/find-skipped-files.ts';
import { listFiles } from '../../../lib/indexing/list-files.ts';
import { keepSkipped } from '../../../lib/indexing/scan/keep-skipped.ts';
import type { SkippedFile } from '../../../lib/indexing/scan/odd-entries.ts';
import {
  type IndexState,
  indexedFiles,
  skippedFiles,
  skippedLists,
  skippedPartition,
} from '../../../lib/indexing/schema.ts';
import { foldersAbove } from '../../../lib/isolation/folders-above.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { startPipeline } from '../../support/pipeline.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { png } from '../../support/samples/pictures.ts';
import { packZip } from '../../support/samples/zip.ts';
import { goldenDocument } from '../formats/samples.ts';

const pipeline = await startPipeline();
const { ports } = pipeline;
ports.embedder = undefined;

type State = Parameters<typeof listFiles>[2]['state'];

async function list(workspaceId: string, state: State, limit = 100) {
  const listed = [];
  let cursor: string | undefined;
  do {
    const page = await listFiles(ports.records, workspaceId, { state, limit, cursor });
    listed.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return listed;
}

async function reasons(workspaceId: string, state: State): Promise<Record<string, unknown>> {
  const listed = await list(workspaceId, state);
  return Object.fromEntries(listed.map(({ path, reason, kind }) => [path, [reason, kind]]));
}

const LOCKED =
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\n' +
  `endobj\n3 0 obj\n<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'61'.repeat(32)}> /U <${'62'.repeat(32)}> >>\nendobj\n` +
  'trailer\n<< /Root 1 0 R /Encrypt 3 0 R /ID [<61> <61>] /Size 4 >>\n%%EOF\n';

const FILES: Record<string, string | Uint8Array> = {
  'a.md': 'an owl',
  'scan.pdf': makePdf(['']),
  'pictures.html': '<img src="a.png">',
  'broken.pdf': 'not a PDF',
  'locked.pdf': LOCKED,
  'data.txt': Buffer.from('a\0b'),
  'huge.md': Buffer.alloc(50 * 1024 * 1024 + 1, 'a'),
  'Letter.DOC': 'x',
  photo: 'x',
  '.env': 'SECRET=1',
  'node_modules/p/x.md': 'x',
  'node_modules/p/y.md': 'x',
  'venv2/pyvenv.cfg': '',
  'venv2/lib/x.py': 'x',
  'drafts/x.md': 'x',
  '.gitignore': 'drafts/\n',
};

describe('skipped files', () => {
  let workspace: Awaited<ReturnType<typeof pipeline.makeWorkspace>>;
  let syncs: IndexState[];
  beforeAll(async () => {
    workspace = await pipeline.makeWorkspace();
    for (const [path, content] of Object.entries(FILES)) await workspace.write(path, content);
    syncs = [await workspace.sync(), await workspace.sync()];
  });

  it('are counted next to the indexed files from the first sync onward', () => {
    const counted = { status: 'ready', skippedCount: 9, failedCount: 4, total: 5, done: 5 };
    expect(syncs).toMatchObject([
      { ...counted, newCount: 1, unchangedCount: 0 },
      { ...counted, newCount: 0, unchangedCount: 1 },
    ]);
  });

  it('are listed by state, with reason and kind, and each folder only once', async () => {
    expect(await reasons(workspace.id, 'skipped')).toEqual({
      '.env': ['ignored', 'file'],
      '.gitignore': ['ignored', 'file'],
      'Letter.DOC': ['kind', 'doc'],
      photo: ['kind', 'file'],
      drafts: ['ignored', 'folder'],
      node_modules: ['ignored', 'folder'],
      venv2: ['ignored', 'folder'],
      'pictures.html': ['no_text', 'html'],
      'scan.pdf': ['no_text', 'pdf'],
    });
    expect(await reasons(workspace.id, 'failed')).toEqual({
      'broken.pdf': ['broken', 'pdf'],
      'data.txt': ['kind', 'text'],
      'huge.md': ['size', 'markdown'],
      'locked.pdf': ['encrypted', 'pdf'],
    });
    expect(await list(workspace.id, 'indexed')).toEqual([
      { path: 'a.md', size: 6, state: 'indexed', kind: 'markdown' },
    ]);
  });

  it('are listed by page, each file once', async () => {
    const whole = await list(workspace.id, 'skipped');
    expect(await list(workspace.id, 'skipped', 2)).toEqual(whole);
    expect(whole.map(({ size }) => size)).toContain(1);
  });

  it.each<[string, string, string[]]>([
    ['its name', 'What does Letter.DOC say?', ['Letter.DOC']],
    ['a sentence without spaces', '请总结letter.doc的内容', ['Letter.DOC']],
    ['quotation marks', 'Compare “scan.pdf”, broken.pdf and a.md.', ['broken.pdf', 'scan.pdf']],
    ['a path', 'What is in drafts/other/scan.pdf?', ['scan.pdf']],
    ['no name', 'What do owls eat, e.g. at 3.30?', []],
    ['a long question, not at its end', `${'x'.repeat(5000)} Letter.DOC`, []],
  ])('are found by a question with %s', async (_what, question, paths) => {
    const found = await findSkippedFiles(ports.records, workspace.id, question);
    expect(found.map(({ path }) => path).sort()).toEqual(paths);
  });

  it('are limited to the named path among files with the same name', async () => {
    const { id, write, sync } = await pipeline.makeWorkspace();
    for (const path of ['Letter.DOC', 'old/Letter.DOC']) await write(path, 'x');
    await sync();
    const found = (question: string) => findSkippedFiles(ports.records, id, question);
    expect(await found('What does letter.doc say?')).toHaveLength(2);
    expect(await found('What does old/Letter.DOC say?')).toMatchObject([{ path: 'old/Letter.DOC' }]);
  });
});

it('skipped files include an empty text file, even after another sync, and never count it as ready', async () => {
  const { id, write, sync } = await pipeline.makeWorkspace();
  for (const [path, text] of [
    ['a.md', 'an owl'],
    ['b.txt', ''],
    ['c.csv', ' \n'],
    ['d.txt', ''],
  ] as const)
    await write(path, text);
  const empty = { state: 'skipped', reason: 'no_text', found: 'empty' };
  for (let syncs = 0; syncs < 2; syncs++) {
    expect((await sync()).index).toEqual({ searchable: 1, noText: 3, failed: 0, skipped: 0 });
    expect(await list(id, 'skipped')).toMatchObject(
      ['b.txt', 'c.csv', 'd.txt'].map((path) => ({ path, ...empty })),
    );
  }
});

const DOCX = goldenDocument('apes.docx');

const otherFormat = (found: string, title: string) =>
  `The file contains ${found}, not ${title}. Rename it, or add the right file.`;

describe('file whose content differs from its name', () => {
  it.each<[string, string, string | Uint8Array, [string, string, string?]]>([
    ['an empty PDF', 'a.pdf', '', ['broken', 'The PDF file is empty.', 'empty']],
    ['an empty DOCX', 'a.docx', '', ['broken', 'The DOCX file is empty.', 'empty']],
    [
      'HTML',
      'a.pdf',
      '\ufeff\n<!DOCTYPE html><title>Sign in</title>',
      ['broken', otherFormat('HTML', 'PDF'), 'HTML'],
    ],
    ['an image', 'a.pdf', png(), ['broken', otherFormat('PNG', 'PDF'), 'PNG']],
    ['a ZIP', 'a.docx', packZip({ 'a.txt': 'a' }), ['broken', otherFormat('ZIP', 'DOCX'), 'ZIP']],
    ['a PDF', 'a.docx', makePdf(['an owl']), ['broken', otherFormat('PDF', 'DOCX'), 'PDF']],
    ['a DOCX', 'a.xlsx', DOCX, ['broken', otherFormat('DOCX', 'XLSX'), 'DOCX']],
    ['an ODT', 'a.epub', goldenDocument('apes.odt'), ['broken', otherFormat('ODT', 'EPUB'), 'ODT']],
    [
      'a truncated DOCX',
      'a.docx',
      DOCX.subarray(0, -200),
      ['broken', 'The DOCX file is incomplete. Add it again.', 'incomplete'],
    ],
    [
      'a truncated PDF',
      'a.pdf',
      makePdf(['an owl']).subarray(0, 120),
      ['broken', 'The PDF file is incomplete. Add it again.', 'incomplete'],
    ],
    [
      'an encrypted PDF',
      'a.pdf',
      LOCKED,
      ['encrypted', 'The PDF file is protected by a password. Remove the protection, then add it again.'],
    ],
    [
      'an encrypted XLSX',
      'a.xlsx',
      goldenDocument('locked.xlsx'),
      ['encrypted', 'The XLSX file is protected by a password. Remove the protection, then add it again.'],
    ],
    ['noise', 'a.pdf', 'noise', ['broken', "The PDF file can't be read. It may be damaged."]],
  ])('is listed by its content: %s as %s', async (_what, path, content, [reason, error, found]) => {
    const workspace = await pipeline.makeWorkspace();
    await workspace.write(path, content);
    expect((await workspace.sync()).errors).toEqual([{ path, error }]);
    const [listed] = await list(workspace.id, 'failed');
    expect([listed?.reason, listed?.found]).toEqual([reason, found]);
  });
});

describe('list of skipped files', () => {
  it('follows writes, moves, and deletions without a sync', async () => {
    const { id, rootPath, write } = await pipeline.makeWorkspace();
    const touch = async (...paths: string[]) => {
      await touchIndex(ports.indexQueue, id, paths);
      await pipeline.drain();
      return (await list(id, 'skipped')).map(({ path }) => path).sort();
    };
    await write('in/a.doc', 'x');
    expect(await touch('in/a.doc')).toEqual(['in/a.doc']);
    await rename(join(rootPath, 'in'), join(rootPath, 'out'));
    expect(await touch('in', 'out')).toEqual(['out/a.doc']);
    await mkdir(join(rootPath, 'node_modules'));
    await write('node_modules/x.md', 'x');
    expect(await touch('node_modules/x.md')).toEqual(['node_modules', 'out/a.doc']);
    await rm(join(rootPath, 'out/a.doc'));
    await write('out/a.doc.md', 'x');
    expect(await touch('out', 'node_modules')).toEqual(['node_modules']);
  });

  it('is deleted with the index', async () => {
    const workspace = await pipeline.makeWorkspace();
    await workspace.write('a.doc', 'x');
    await workspace.sync();
    const query = { partition: skippedPartition(workspace.id) };
    expect((await skippedFiles.list(ports.records, query)).items).toHaveLength(1);
    expect(await skippedLists.get(ports.records, { workspaceId: workspace.id })).toBeDefined();
    await ports.commitQueue.send([
      { groupId: workspace.id, body: { kind: 'drop', workspaceId: workspace.id } },
    ]);
    await pipeline.drain();
    expect((await skippedFiles.list(ports.records, query)).items).toEqual([]);
    expect(await skippedLists.get(ports.records, { workspaceId: workspace.id })).toBeUndefined();
  });
});

describe('namesIn', () => {
  it('finds names that start at any position, nearest first, up to a limit', () => {
    expect(namesIn('read my Annual Report.pdf, please')).toEqual([
      'report.pdf',
      'annual report.pdf',
      'my annual report.pdf',
      'read my annual report.pdf',
    ]);
    expect(namesIn('.docx and .pdf')).toEqual(['and .pdf', '.docx and .pdf']);
    expect(namesIn('报告.pdf '.repeat(500)).length).toBeLessThanOrEqual(32);
  });
});

const POINTER =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';

describe('entry without text', () => {
  /** Each kind, with its reason and whether it is a folder; bytes, because some names are not UTF-8. */
  async function makeOdd() {
    const workspace = await pipeline.makeWorkspace();
    const { rootPath, write } = workspace;
    await write('a.md', 'an owl');
    await write('data.csv', POINTER);
    await write('paper.pdf', POINTER.replaceAll('\n', '\r\n'));
    await write('photo.png', POINTER.replace('oid', 'ext-0-foo sha256:00\noid'));
    await write('told.md', `${POINTER}\nThis is what a pointer looks like.\n`);
    await write('sub/.gitmodules', '[submodule "x"]\n\tpath = libs/x y\n\turl = https://example.org/x\n');
    await mkdir(join(rootPath, 'sub/libs/x y'), { recursive: true });
    await mkdir(join(rootPath, 'sub/libs/z'), { recursive: true });
    await symlink('a.md', join(rootPath, 'in.md'));
    await symlink('sub', join(rootPath, 'in'));
    await symlink('/etc/hostname', join(rootPath, 'out.md'));
    await symlink('gone.md', join(rootPath, 'dangling.md'));
    await symlink('loop.md', join(rootPath, 'loop.md'));
    await symlink('a.md', join(rootPath, '.hidden.md'));
    execFileSync('mkfifo', [join(rootPath, 'pipe.md')]);
    await write('back\\slash.md', 'x');
    await write('new\nline.md', 'x');
    await write('a\\b/c.md', 'x');
    const latin = (name: string) => Buffer.concat([Buffer.from(`${rootPath}/`), Buffer.from(name, 'latin1')]);
    await writeFile(latin('caf\u00e9.md'), 'x');
    await mkdir(latin('ordn\u00e9'));
    await write('real\ufffd.md', 'a lynx');
    await mkdir(join(rootPath, DEEP, 'd'), { recursive: true });
    return workspace;
  }

  const DEEP = Array.from({ length: 101 }, () => 'd').join('/');
  const EXPECTED = {
    'data.csv': ['lfs_pointer', 'rows'],
    'paper.pdf': ['lfs_pointer', 'pdf'],
    // Without OCR, an image is skipped unread.
    'photo.png': ['no_text', 'picture'],
    'sub/libs/x y': ['submodule', 'folder'],
    'in.md': ['link', 'markdown'],
    in: ['link', 'file'],
    'out.md': ['link_outside', 'markdown'],
    'dangling.md': ['link_broken', 'markdown'],
    'loop.md': ['link_broken', 'markdown'],
    '.hidden.md': ['ignored', 'markdown'],
    'pipe.md': ['special', 'markdown'],
    'back\\slash.md': ['name', 'markdown'],
    'new\nline.md': ['name', 'markdown'],
    'a\\b': ['name', 'folder'],
    'caf\ufffd.md': ['name', 'markdown'],
    'ordn\ufffd': ['name', 'folder'],
  };

  it('is listed with its reason by a sync', async () => {
    const { id, sync } = await makeOdd();
    const state = await sync();
    const { 'sub/.gitmodules': _, ...listed } = await reasons(id, 'skipped');
    expect(listed).toEqual({ ...EXPECTED, [DEEP]: ['depth', 'folder'] });
    expect(await reasons(id, 'failed')).toEqual({});
    expect(Object.keys(await reasons(id, 'indexed')).sort()).toEqual(['a.md', 'real\ufffd.md', 'told.md']);
    expect(state).toMatchObject({ status: 'ready', total: 3, done: 3 });
    expect(await sync()).toMatchObject({ total: 3, unchangedCount: 3, skippedCount: state.skippedCount });
    const [named] = await findSkippedFiles(ports.records, id, 'What is in data.csv?');
    expect(named).toMatchObject({ path: 'data.csv', reason: 'lfs_pointer' });
  });

  it('is listed with its reason by a change of its path', async () => {
    const { id, write, rootPath, sync } = await makeOdd();
    await sync();
    const before = await list(id, 'skipped');
    const paths = before.map(({ path }) => path);
    await touchIndex(ports.touchQueue, id, paths);
    await pipeline.drain();
    expect(await list(id, 'skipped')).toEqual(before);
    await rm(join(rootPath, 'in.md'));
    await rm(join(rootPath, 'data.csv'));
    await write('in.md', 'a file');
    await touchIndex(ports.touchQueue, id, ['in.md', 'data.csv']);
    await pipeline.drain();
    const after = await reasons(id, 'skipped');
    expect(after).not.toHaveProperty(['in.md']);
    expect(after).not.toHaveProperty(['data.csv']);
    expect(await reasons(id, 'indexed')).toHaveProperty(['in.md']);
  });
});

const isRoot = process.geteuid?.() === 0;

/** Reads as a user other than root, whom file modes restrict. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!isRoot) return work();
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

it('skipped files include unreadable ones with a separate reason', async () => {
  const workspace = await pipeline.makeWorkspace();
  const { id, write, rootPath, sync } = workspace;
  for (const path of ['a.md', 'shut.md', 'shut/b.md']) await write(path, `an owl in ${path}`);
  for (const path of ['', 'a.md']) await chmod(join(rootPath, path), 0o755);
  await sync();
  await chmod(join(rootPath, 'shut.md'), 0o000);
  await chmod(join(rootPath, 'shut'), 0o000);
  const above = foldersAbove(pipeline.dataDir).slice(0, -2); // without / and /tmp
  execFileSync('chmod', ['a+X', ...above]);
  execFileSync('chmod', ['-R', 'a+rX', pipeline.dataDir]);
  pipeline.now.offsetMs += 1000;
  await touchIndex(ports.touchQueue, id, ['shut.md', 'shut']);
  await commitMessages(ports, await asNobody(pipeline.takeResults));
  await pipeline.drain();
  expect(await reasons(id, 'failed')).toEqual({ 'shut.md': ['unreadable', 'markdown'] });
  expect(await reasons(id, 'skipped')).toEqual({ shut: ['unreadable', 'folder'] });
  expect(await workspace.found('owl')).toEqual(['a.md', 'shut/b.md']);
  for (const path of ['shut', 'shut.md']) await chmod(join(rootPath, path), 0o755);
  await sync();
  expect(await reasons(id, 'skipped')).toEqual({});
  expect(await reasons(id, 'failed')).toEqual({});
});

describe('indexed file', () => {
  it('is listed with its encoding, as is its copy', async () => {
    const { id, write, sync } = await pipeline.makeWorkspace();
    const bytes = new Uint8Array([...'Привет, мир. Это простой текст на русском языке.'].map(toWindows1251));
    await write('a.txt', bytes);
    await sync();
    await write('b.txt', bytes);
    await sync();
    const encoding = { name: 'windows-1251', certain: true };
    expect(await list(id, 'indexed')).toMatchObject([
      { path: 'a.txt', encoding },
      { path: 'b.txt', encoding },
    ]);
  });

  it('is also listed as partly read if a part was not read', async () => {
    const { id, write, sync } = await pipeline.makeWorkspace();
    for (let file = 0; file < 30; file++) await write(`${file}.md`, `owl ${file}`);
    await sync();
    const left = [{ kind: 'charts', count: 3 }];
    for (const path of ['11.md', '29.md']) {
      const file = await indexedFiles.get(ports.records, { workspaceId: id, path });
      if (file !== undefined) await indexedFiles.put(ports.records, { ...file, left });
    }
    const partial = { state: 'partial', kind: 'markdown', left };
    const expected = [
      { path: '11.md', ...partial },
      { path: '29.md', ...partial },
    ];
    expect(await list(id, 'partial')).toMatchObject(expected);
    expect(await list(id, 'partial', 1)).toMatchObject(expected);
    const indexed = await list(id, 'indexed');
    expect(indexed).toHaveLength(30);
    expect(indexed.filter((file) => file.left)).toMatchObject([{ state: 'indexed' }, { state: 'indexed' }]);
  });
});

function toWindows1251(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? code : code - 0x410 + 0xc0;
}

describe('updating the list of skipped files', () => {
  let id: string;
  beforeEach(() => {
    id = randomUUID();
  });
  const skip = (path: string): SkippedFile => ({ path, size: 1, reason: 'kind', folder: false });
  const keep = (paths: string[], { records = ports.records, below = '' } = {}) =>
    keepSkipped(records, id, below, { skipped: paths.map(skip), unreadable: [] });
  const kept = async () => (await list(id, 'skipped')).map(({ path }) => path).sort();

  /** Records during whose first write another change happens. */
  function interrupted(meanwhile: () => Promise<unknown>): Records {
    const once = { done: false };
    const putMany: Records['putMany'] = async (records) => {
      await ports.records.putMany(records);
      if (!once.done) await meanwhile();
      once.done = true;
    };
    return { ...ports.records, putMany };
  }

  it('reads nothing if a walk finds the same files', async () => {
    await keep(['a.doc', 'b.doc']);
    const query = () => Promise.reject(new Error('was read'));
    await keep(['b.doc', 'a.doc'], { records: { ...ports.records, query } });
    expect(await kept()).toEqual(['a.doc', 'b.doc']);
    await expect(keep(['a.doc'], { records: { ...ports.records, query } })).rejects.toThrow('was read');
  });

  it('repairs the result of two concurrent walks', async () => {
    await keep([], { records: interrupted(() => keep(['old.doc', 'x/b.doc'])) });
    for (const meanwhile of [() => keep([]), () => keep([], { below: 'x' })]) {
      await keep(['a.doc']);
      await keep(['a.doc', 'x/c.doc'], { records: interrupted(meanwhile) });
      await keep(['a.doc', 'x/c.doc']);
      expect(await kept()).toEqual(['a.doc', 'x/c.doc']);
    }
  });

  it('starts again after an interruption', async () => {
    const records = interrupted(() => Promise.reject(new Error('cut short')));
    await expect(keep(['d.doc'], { records })).rejects.toThrow('cut short');
    await keep(['d.doc']);
    expect(await kept()).toEqual(['d.doc']);
  });

  it('writes one record for names that are not UTF-8 and look the same', async () => {
    await keep(['d.doc']);
    const written: string[] = [];
    const putMany: Records['putMany'] = async (records) => {
      written.push(...records.map(({ key }) => key.sort));
    };
    await keep(['.\ufffd', '.\ufffd', 'd.doc'], { records: { ...ports.records, putMany } });
    expect(written).toEqual(['.\ufffd']);
  });
});
