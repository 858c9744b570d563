import { describe, expect, it } from '@jest/globals';
import { ripgrepTextSearch } from '../../../lib/adapters/ripgrep/text-search.ts';
import { callTool, checkCall } from '../../../lib/agent/calls/call.ts';
import { grepTool } from '../../../lib/agent/tools/grep.ts';
import { readFileTool } from '../../../lib/agent/tools/read-file.ts';
import { searchWorkspaceTool } from '../../../lib/agent/tools/search-workspace.ts';
import { isBibliography } from '../../../lib/bibliography/read-bibliography.ts';
import { answerChat } from '../../../lib/chat/answer.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { answerRaw } from '../../../lib/files/raw.ts';
import { openRaw } from '../../../lib/files/read.ts';
import { encodedFormats, formatOf, formats, type KnownFormat } from '../../../lib/formats/all-formats.ts';
import { extract } from '../../../lib/formats/extract.ts';
import { readStoredText } from '../../../lib/formats/stored-source.ts';
import { indexedFiles } from '../../../lib/indexing/schema.ts';
import { type FilePart, filePartShape } from '../../../lib/ports/file-part.ts';
import type { LanguageModel } from '../../../lib/ports/language-model.ts';
import { citeAll } from '../../../lib/retrieval/cite/cite.ts';
import { searchPassages } from '../../../lib/retrieval/search.ts';
import type { Workspace } from '../../../lib/workspaces/schema.ts';
import { fakeRecognizer } from '../../support/fakes/fake-recognizer.ts';
import { startPipeline } from '../../support/pipeline.ts';
import { makeContext } from '../../support/tool-context.ts';
import { samples } from './samples.ts';

const pipeline = await startPipeline();
const { ports } = pipeline;
ports.recognizer = fakeRecognizer(() => samples.picture.says);
const textSearch = ripgrepTextSearch();
const every = formats.map((format) => ({ name: format.name, format, sample: samples[format.name] }));

/** Created once per format. */
const indexed = new Map<string, ReturnType<typeof makeIndexed>>();

/** Indexes a workspace with the sample of a format. */
function indexSample({ name }: KnownFormat) {
  const made = indexed.get(name) ?? makeIndexed(name);
  indexed.set(name, made);
  return made;
}

async function makeIndexed(name: KnownFormat['name']) {
  const { path, bytes } = samples[name];
  const { id, rootPath, write, sync } = await pipeline.makeWorkspace();
  await write(path, bytes);
  return { workspace: { id, rootPath, name, createdAt: '' }, state: await sync() };
}

async function readSample({ name, unit }: KnownFormat, workspace: Workspace) {
  const { path, at } = samples[name];
  const call = checkCall([readFileTool(ports)], {
    id: '1',
    name: 'readFile',
    input: JSON.stringify({ path, offset: at, limit: 1 }),
  });
  if (call.refusal !== undefined) throw new Error(call.refusal);
  const { output } = await callTool(call, makeContext(workspace.rootPath, { workspace }));
  const suffix = unit.charAt(0).toUpperCase() + unit.slice(1);
  const { content, [`start${suffix}`]: start, ...others } = output as Record<string, unknown>;
  return { content, start, others };
}

/** Returns the location of a citation, without its other fields. */
function partIn(citation: FilePart): FilePart {
  const names = Object.keys(filePartShape) as (keyof FilePart)[];
  return Object.fromEntries(names.filter((name) => name in citation).map((name) => [name, citation[name]]));
}

/** Cites the first passage for any question. */
const citingModel: LanguageModel = {
  provider: 'a',
  model: 'citing',
  async *stream() {
    yield { type: 'text', text: 'Apes climb high [1].' };
    yield { type: 'finish', reason: 'stop', usage: { inputTokens: null, outputTokens: null } };
  },
};

const searched = every.filter(({ sample }) => !isBibliography(sample.path, ''));

describe.each(searched)('file of the format $name', ({ format, sample }) => {
  it('is indexed, found, and quoted exactly, at its location', async () => {
    const { workspace, state } = await indexSample(format);
    // OCR results of an image are indexed separately from the sync.
    const counts = format.name === 'picture' ? { skippedCount: 1 } : { newCount: 1 };
    expect(state).toMatchObject({ status: 'ready', ...counts, failedCount: 0 });
    const { passages } = await searchPassages(ports, workspace.id, sample.says);
    const passage = passages.find(({ text }) => text.includes(sample.says));
    if (passage === undefined) throw new Error(`not found: ${sample.says}`);
    const [citation] = await citeAll(ports, workspace, [{ index: 1, passage, claim: sample.says }]);
    if (citation === undefined) throw new Error('no citation');
    expect(citation).toMatchObject({ quote: sample.quote ?? sample.says, verified: true, stale: false });
    const rows = sample.quotedRows && {
      rows: sample.quotedRows,
      cells: expect.stringMatching(/^[A-Z]+\d+(:[A-Z]+\d+)?$/),
    };
    expect(partIn(citation)).toEqual({ ...sample.part, ...rows });
    if (format.unit === 'line') expect(citation.startLine).toBe(sample.at);
  });

  it('is named as the source of an answer with its media type', async () => {
    const { workspace } = await indexSample(format);
    const messages = [{ role: 'user' as const, text: sample.says }];
    const request = {
      workspace,
      actor: 'c',
      messages,
      model: citingModel,
      signal: AbortSignal.timeout(10_000),
    };
    const sources = [];
    for await (const part of answerChat(ports, request))
      if (part.type === 'source-document') sources.push(part);
    expect(sources).toMatchObject([{ mediaType: sample.citedAs, title: sample.path }]);
  });
});

describe.each(every)('file of the format $name', ({ format, sample }) => {
  it('is shown to the agent from the same location on', async () => {
    const { workspace } = await indexSample(format);
    const { content, start, others } = await readSample(format, workspace);
    expect(content).toContain(sample.says);
    expect(start).toBe(sample.at);
    expect(others).toMatchObject({ path: sample.path, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it("is found by the agent's grep, in its line or part", async () => {
    const { workspace } = await indexSample(format);
    const pattern = sample.says.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const call = checkCall([grepTool({ ...ports, textSearch })], {
      id: '1',
      name: 'grep',
      input: JSON.stringify({ pattern }),
    });
    if (call.refusal !== undefined) throw new Error(call.refusal);
    const { output } = await callTool(
      call,
      makeContext(workspace.rootPath, { workspace, records: ports.records }),
    );
    const { matches } = output as { matches: Record<string, unknown>[] };
    const place = format.content === 'encoded' ? format.unit : 'line';
    expect(matches).toEqual([expect.objectContaining({ path: sample.path, [place]: expect.anything() })]);
    expect(String(matches[0]?.text)).toContain(sample.says);
    if (place === 'line' || place === 'page') expect(matches[0]?.[place]).toBe(sample.at);
  });

  it('is sent with its content type', async () => {
    const { workspace } = await indexSample(format);
    const file = await openRaw(workspace.rootPath, sample.path);
    const { headers } = await answerRaw(file, sample.path, { 'if-none-match': '*' });
    expect(headers['content-type']).toBe(sample.sentAs);
  });

  it('is recognized only by its name', () => {
    const { name, extensions, names = [] } = format;
    const paths = [
      ...extensions.map((extension) => `a/B.${extension.toUpperCase()}`),
      ...names.flatMap((own) => [`a/${own.toUpperCase()}`, `a/${own}.anything`]),
      sample.path,
    ];
    expect(paths.filter((path) => formatOf(path)?.name !== name)).toEqual([]);
  });

  it('is read, or rejected with a reason, however it is truncated or corrupted', async () => {
    const whole = Buffer.from(sample.bytes);
    const parts = Array.from({ length: 8 }, (_, index) => whole.subarray(0, (whole.length * index) / 8));
    const noise = [Buffer.alloc(64), Buffer.from('<>&;{}[]"'.repeat(50)), Buffer.alloc(300, 0xe9)];
    for (const bytes of [...parts, ...noise]) {
      const outcome = await extract(format, bytes).catch((error: unknown) => error);
      expect(outcome instanceof InvalidInput || typeof (outcome as { text: string }).text === 'string').toBe(
        true,
      );
    }
  });
});

it.each(encodedFormats.map((format) => ({ name: format.name, format })))(
  "text of $name is stored with its parts, so that a search needn't decode it again",
  async ({ format }) => {
    const { workspace } = await indexSample(format);
    const { path, says } = samples[format.name];
    const known = await indexedFiles.get(ports.records, { workspaceId: workspace.id, path });
    const kept = await readStoredText(ports.objects, { workspaceId: workspace.id, hash: known?.hash ?? '' });
    expect(kept).toMatchObject({ text: expect.stringContaining(says), partStarts: expect.any(Array) });
  },
);

describe('tool descriptions', () => {
  it.each(encodedFormats.map(({ title }) => [title]))("name %s, which isn't a text format", (title) => {
    expect(readFileTool(ports).description).toContain(title);
    expect(searchWorkspaceTool({ searchFor: () => ports }).description).toContain(title);
  });
});

describe('formatOf', () => {
  it.each([
    ['a/B.PDF', 'pdf'],
    ['x.xhtml', 'html'],
    ['notes.md', 'markdown'],
    ['data.csv', 'rows'],
    ['lib/x.ts', 'code'],
    ['Makefile', 'text'],
    ['.env', undefined],
    ['photo.jpg', 'picture'],
    ['noending', undefined],
  ])('%s is %s', (path, name) => {
    expect(formatOf(path)?.name).toBe(name);
  });
});
