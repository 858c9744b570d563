import { readFile } from 'node:fs/promises';
import { locate } from '../../datasets/links/mounts.ts';
import { readingFormat } from '../../formats/all-formats.ts';
import { extract } from '../../formats/extract.ts';
import { MAX_FILE_BYTES } from '../../formats/max-file-bytes.ts';
import { chunkText } from '../../indexing/read/chunk.ts';
import { requireRefusal } from '../../known-error.ts';
import { openInside } from '../../paths/confine.ts';
import { sha256 } from '../../paths/hash.ts';
import type { Passage } from '../../ports/vectors.ts';
import { rankByWords } from '../../retrieval/rank/rank-words.ts';
import { termsOf } from '../../retrieval/rank/terms.ts';
import type { Looked, SubQuestion } from '../schema.ts';
import type { Study } from '../work/study.ts';
import type { Found, Gathered } from './files.ts';
import type { SavedSource } from './papers.ts';

/** Returns the nearest passages of documents that are saved in the workspace. */
export async function readDocuments(
  study: Study,
  question: SubQuestion,
  documents: SavedSource[],
): Promise<Found> {
  const gathered: Gathered[] = [];
  const looked: Looked[] = [];
  for (const { path, source } of documents) {
    const passages = await passagesOfDocument(study, path, question);
    const { title, url } = source;
    const leave = (reason: string) =>
      looked.push({
        questionId: question.id,
        ...placeOf(study),
        path,
        title,
        ...(url && { url }),
        used: false,
        reason,
      });
    if (typeof passages === 'string') leave(passages);
    else if (passages.length === 0) leave('It contains none of the search terms.');
    else gathered.push(...passages.map((passage) => ({ passage, source })));
  }
  return { gathered, looked };
}

/**
 * Returns the passages of a saved document that are nearest to a question, or the reason why there are none.
 * The index may not contain the document yet.
 */
async function passagesOfDocument(
  study: Study,
  path: string,
  question: SubQuestion,
): Promise<Passage[] | string> {
  try {
    const chunks = await cut(study, path);
    const terms = termsOf([question.question, ...(question.keywords ?? [])].join(' '));
    const ranked = rankByWords(
      terms,
      chunks.map((passage) => ({ ...passage, score: 1 })),
    );
    const near = ranked.passages.filter(({ score }) => score > 0).slice(0, study.depth.passagesOfFile);
    return near.map(({ score: _, ...passage }) => passage);
  } catch (error) {
    return requireRefusal(error).message;
  }
}

/** Names the workspace that documents are saved in, if the report is about several. */
function placeOf({ workspace, workspaces }: Study): Pick<Passage, 'workspaceId'> {
  return workspaces === undefined ? {} : { workspaceId: workspace.id };
}

async function cut(study: Study, path: string): Promise<Passage[]> {
  const { ports, workspace } = study;
  const location = await locate(ports.records, workspace, path);
  await using handle = await openInside(location.root, location.path);
  if ((await handle.stat()).size > MAX_FILE_BYTES) return [];
  const bytes = await readFile(handle);
  const fileHash = await sha256(bytes);
  const chunks = chunkText(await extract(readingFormat(path), bytes));
  return chunks.map((chunk, at) => ({ ...chunk, ...placeOf(study), path, chunk: at, fileHash }));
}
