import { createHash } from 'node:crypto';
import type { Citation, CitedClaim } from '../api-contract/citation.ts';
import { findCitedSentences } from '../api-contract/cited-sentences.ts';
import { splitMarkers } from '../api-contract/markers.ts';
import type { ReadAnswer } from './read-answer.ts';

/** A citation at one place of the text, in UTF-16 units. */
interface PlacedCitation {
  start: number;
  end: number;
  citation: Citation;
}

/** The maximum number of annotations, because a model may repeat markers endlessly. */
const MAX_ANNOTATIONS = 500;

/** Returns the annotations of the Responses API, in the order of the text. */
export function fileCitations(workspaceId: string, answer: ReadAnswer) {
  return placesOf(answer).map(({ start, citation }) => ({
    type: 'file_citation' as const,
    file_id: fileIdOf(citation.workspaceId ?? workspaceId, citation.path),
    filename: citation.path,
    index: start,
    x_citation: citation,
  }));
}

/**
 * Returns the annotations of the Chat Completions API, which knows only links. `base` is the URL of the service, if it is
 * known.
 */
export function urlCitations(workspaceId: string, answer: ReadAnswer, base: string) {
  return placesOf(answer).map(({ start, end, citation }) => ({
    type: 'url_citation' as const,
    url_citation: {
      start_index: start,
      end_index: end,
      url: base + pageOf(citation.workspaceId ?? workspaceId, citation),
      title: citation.path,
    },
    x_citation: citation,
  }));
}

/** Returns the page of the console that shows the quote. */
function pageOf(workspaceId: string, { path, startLine, endLine, page }: Citation): string {
  const at = page === undefined ? '' : `&page=${page}`;
  const place = `path=${encodeURIComponent(path)}&lines=${startLine}-${endLine}${at}`;
  return `/w/${encodeURIComponent(workspaceId)}/files?${place}`;
}

const FILE_ID_DIGITS = 32;

/** Returns an ID for a file that is safe in a URL's path, unlike the file's own path. */
function fileIdOf(workspaceId: string, path: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([workspaceId, path]))
    .digest('hex');
  return `file-${hash.slice(0, FILE_ID_DIGITS)}`;
}

function placesOf({ text, from, citations }: ReadAnswer): PlacedCitation[] {
  const body = text.slice(from);
  return [...markedPlaces(body, citations), ...foundPlaces(citations)]
    .map(({ start, end, citation }) => ({ start: start + from, end: end + from, citation }))
    .toSorted((one, other) => one.start - other.start)
    .slice(0, MAX_ANNOTATIONS);
}

function markedPlaces(body: string, citations: Citation[]): PlacedCitation[] {
  const claims = new Map(
    findCitedSentences(body).flatMap(({ claim, markers }) => markers.map(({ start }) => [start, claim])),
  );
  return splitMarkers(body).markers.flatMap(({ start, end, numbers }) =>
    citations
      .filter(({ index }) => numbers.includes(index))
      .map((citation) => ({ start, end, citation: atClaim(citation, claims.get(start)) })),
  );
}

/** Returns the positions of sentences for which the service found a passage. They have no marker. */
function foundPlaces(citations: Citation[]): PlacedCitation[] {
  return citations.flatMap((citation) =>
    (citation.sentences ?? []).map(({ start, end, text }) => ({
      start,
      end,
      citation: atClaim(citation, text),
    })),
  );
}

/** Returns a citation reduced to one sentence, without the other sentences that cite the same passage. */
function atClaim(
  { claims = [], sentences: _, ...citation }: Citation,
  sentence: string | undefined,
): Citation {
  const claim = claims.find(({ text }) => text === sentence);
  if (claim === undefined) return citation;
  const { index, path, fileHash, stale, origin } = citation;
  const { text: __, ...own } = claim;
  return { index, path, ...own, fileHash, verified: isVerified(claim), stale, ...(origin && { origin }) };
}

/** Returns whether the quote of a single sentence counts as verified. */
function isVerified({ quote, support }: CitedClaim): boolean {
  return quote !== '' && (support === 'full' || support === 'unjudged');
}
