import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { type FindReference, type Reference, referenceFinder } from '../../bibliography/match-entry.ts';
import { readLibrary } from '../../bibliography/workspace-library.ts';
import { type Location, locator } from '../../datasets/links/mounts.ts';
import { documentsAt } from '../../documents/documents.ts';
import type { FactSources } from '../../documents/fact-sources.ts';
import type { Document } from '../../documents/schema.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import { requireRefusal } from '../../known-error.ts';
import { openInside } from '../../paths/confine.ts';
import { versionOf } from '../../paths/file-version.ts';
import type { Records } from '../../ports/records.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { Source } from '../schema.ts';
import { type PdfReference, pdfReference } from './pdf-reference.ts';

/** Milliseconds for all PDFs of one question. PDFs that aren't read in time keep their file names. */
const TOTAL_MS = 20_000;
/** Milliseconds per PDF: half of the total, because a busy host takes seconds to start the isolated process. */
const PDF_MS = 10_000;
const PDFS_AT_ONCE = 3;
/** The maximum size of a PDF in bytes. Each is in memory twice. */
const MAX_PDF_BYTES = 20 * 1024 * 1024;

/** Keyed by the file and its version. An entry has at most a kilobyte. */
const cache = new LRUCache<string, PdfReference>({ max: 2000 });

/**
 * Returns sources with their titles, authors, and identifiers, by path: as people corrected them, otherwise from the
 * workspace's `.bib` files, the index, or the PDF itself, without network access. A source without such data, or with an
 * unreadable file, stays unchanged.
 */
export async function describeSources(
  records: Records,
  workspace: FactSources & Pick<Workspace, 'rootPath'>,
  sources: Map<string, Source>,
  signal: AbortSignal,
): Promise<Map<string, Source>> {
  const [library, documents] = await Promise.all([
    readLibrary(records, workspace),
    documentsAt(records, workspace, [...sources.keys()]),
  ]);
  const find = await referenceFinder(library);
  const until = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)]);
  const locateFile = locator(records, workspace);
  const readPdf = async (path: string) => readReference(await locateFile(path), path, until);
  const described = new Map<string, Source>();
  await forEachConcurrent(sources, PDFS_AT_ONCE, async ([path, source]) => {
    const document = documents.get(path);
    const known = isOutside(source) ? source : withFacts(source, document, TITLED);
    const found = await describe({ find, readPdf }, path, known);
    described.set(path, withFacts(found, document, document?.corrected ?? []));
  });
  return described;
}

const TITLED: Document['corrected'] = ['title', 'authors', 'year', 'doi'];

/** Adds facts of a document to its source. The name of the file isn't a title. */
function withFacts(source: Source, document: Document | undefined, fields: Document['corrected']): Source {
  if (document === undefined) return source;
  const { path, title, authors, year, doi, citeKey } = document;
  const has = (field: Document['corrected'][number]) => fields.includes(field);
  const { publishedDate, ...undated } = source;
  const isDated = publishedDate !== undefined && (!has('year') || publishedDate.startsWith(`${year}`));
  return {
    ...(isDated ? source : undated),
    ...(has('title') && !path.endsWith(title) && { title }),
    ...(has('authors') && authors.length > 0 && { authors }),
    ...(has('year') && year !== null && { year }),
    ...(has('doi') && doi !== null && { doi }),
    ...(has('citeKey') && citeKey !== null && { citationKey: citeKey }),
  };
}

function isOutside({ kind }: Source): boolean {
  return kind === 'paper' || kind === 'web';
}

interface Finders {
  find: FindReference;
  readPdf(path: string): Promise<PdfReference>;
}

/** Entries aren't searched by a file's name, because the name isn't a title. A PDF whose title is known isn't read. */
async function describe({ find, readPdf }: Finders, path: string, source: Source): Promise<Source> {
  const { doi, arxivId, title } = source;
  const isTitled = isOutside(source) || !path.endsWith(title);
  const known = find({ path, doi, arxivId, ...(isTitled && { title }) });
  if (known !== undefined) return withReference(source, known);
  if (isTitled || !/\.pdf$/i.test(path)) return source;
  const own = await readPdf(path);
  const entry = find({ path, ...own });
  return entry === undefined ? { ...source, ...own } : withReference({ ...source, ...own }, entry);
}

/** Adds an entry's data to the source, because a person has written it. Fields missing in the entry stay unchanged. */
function withReference(source: Source, one: Reference): Source {
  const { key, type, title, authors, year, date, venue, doi, arxivId } = one;
  return {
    ...source,
    ...(title !== '' && { title }),
    ...(authors.length > 0 && { authors }),
    ...(source.publishedDate === undefined && year !== undefined && { year }),
    ...(date !== undefined && { publishedDate: date }),
    ...(venue !== undefined && { venue }),
    ...(doi !== undefined && { doi }),
    ...(arxivId !== undefined && { arxivId }),
    ...{ entryType: type, citationKey: key },
  };
}

/** Empty for a PDF that can't be read in time. */
async function readReference(
  { root, path: inside }: Location,
  path: string,
  signal: AbortSignal,
): Promise<PdfReference> {
  if (signal.aborted) return {};
  try {
    await using handle = await openInside(root, inside);
    const stats = await handle.stat();
    const version = `${path} ${stats.dev} ${versionOf(stats)}`;
    const known = cache.get(version);
    if (known !== undefined) return known;
    if (stats.size > MAX_PDF_BYTES) return {};
    const { program } = await import('../../formats/decoder-program.ts');
    const bytes = await readFile(handle);
    const facts = await runIsolated(program, 'readPdfFacts', { bytes }, { timeoutMs: PDF_MS, signal });
    const own = pdfReference(facts, path);
    cache.set(version, own);
    return own;
  } catch (error) {
    if (!signal.aborted) requireRefusal(error);
    return {};
  }
}
