import { useMemo } from 'react';
import { type FileView, viewOf } from '../../lib/api-contract/file-kinds.ts';
import { ApiError } from '../api/client.ts';
import {
  type BrokenCitation,
  useBrokenCitations,
  useBrokenIn,
  useCitationsNow,
} from '../broken-citations/queries.ts';
import { useFileContent, useIndexedText } from '../files/queries.ts';
import { hasQuote, markLost, withNow } from './lost-quote.ts';
import type { Citation } from './message-view.ts';

/** Returns a document's citations, marked if they are in the list of broken citations. */
export function useMarkedCitations(
  workspaceId: string,
  citations: Citation[],
  isDocument: (document: BrokenCitation['document']) => boolean,
): Citation[] {
  const { data = [] } = useBrokenCitations(workspaceId);
  const cited = new Set(citations.flatMap((each) => each.workspaceId ?? []));
  cited.delete(workspaceId);
  const inOthers = useBrokenIn([...cited]);
  const broken = [...data, ...inOthers].filter(({ document }) => isDocument(document));
  const key = broken.map(({ id, reason }) => `${id} ${reason}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what is broken
  return useMemo(() => (broken.length === 0 ? citations : markLost(citations, broken)), [citations, key]);
}

/** How to read the text that citations quote, by kind of file. */
const READ: Partial<Record<FileView, 'file' | 'indexed'>> = {
  ...{ text: 'file', markdown: 'file', html: 'file', table: 'file' },
  ...{ document: 'indexed', notebook: 'indexed', pdf: 'indexed' },
};

/**
 * Returns why the quote of an open source is lost, according to the displayed file, otherwise to the
 * citation's data.
 */
export function useLost(workspaceId: string, citation: Citation): Pick<Citation, 'lost' | 'now'> {
  const { path, quote, isMissing, lost, now } = citation;
  const kind = viewOf(path);
  const file = useFileContent(workspaceId, path, READ[kind] === 'file');
  const indexed = useIndexedText(workspaceId, path, READ[kind] === 'indexed');
  const { data, error } = READ[kind] === 'file' ? file : indexed;
  const isGone = error instanceof ApiError && error.code === 'path_not_found';
  const [asked = citation] = useCitations(workspaceId, [citation], { isOver: isGone && lost === undefined });
  if (isGone) return { lost: isOfGone(asked.lost) ? asked.lost : 'deleted', now: asked.now };
  if (lost === 'updated') return { lost, now };
  if (data === undefined || data.encoding === 'base64' || quote === '' || isMissing) return { lost, now };
  // A person may have quoted the text from a PDF viewer, which differs from the extracted text.
  if (kind === 'pdf') return { lost, now };
  if (!hasQuote(data.content, quote)) return { lost: 'changed', now };
  return lost === 'retracted' ? { lost } : {};
}

function isOfGone(lost: Citation['lost']): boolean {
  return lost === 'moved' || lost === 'updated';
}

/** Returns the current citations of a text that doesn't change. */
export function useCitations(
  workspaceId: string,
  citations: readonly Citation[],
  asked: { noteId?: string | null; isOver: boolean },
): Citation[] {
  const quoted = useMemo(
    () => citations.filter(({ quote, isMissing }) => quote !== '' && !isMissing),
    [citations],
  );
  const found = useCitationsNow(workspaceId, quoted, asked);
  return useMemo(() => {
    const marked = new Map(withNow(quoted, found).map((each, at) => [quoted[at], each]));
    return citations.map((each) => marked.get(each) ?? each);
  }, [citations, quoted, found]);
}
