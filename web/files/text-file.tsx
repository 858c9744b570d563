import { lazy, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { viewOf } from '../../lib/api-contract/file-kinds.ts';
import { ApiError } from '../api/client.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Markdown } from '../parts/markdown/markdown.tsx';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { findRendered } from './find-rendered.ts';
import { isHeavyPage } from './heavy-page.ts';
import { Lines } from './lines.tsx';
import { Loading } from './loading.tsx';
import { NotShown } from './not-shown.tsx';
import type { PreviewProps } from './preview-props.ts';
import { useBeginning, useFileContent } from './queries.ts';
import type { Mark } from './quote-marks.ts';
import { SheetTable } from './sheet-table.tsx';
import { tableRows } from './table-rows.ts';

const TABLE_ROWS = 200_000;
/** Maximum characters of Markdown that is rendered. Longer text is shown unformatted. */
const MAX_RENDERED = 400_000;

const Notebook = lazy(async () => ({
  default: (await fetchPart(() => import('./notebook/notebook-view.tsx'))).NotebookView,
}));
const HtmlPage = lazy(async () => ({ default: (await fetchPart(() => import('./html-page.tsx'))).HtmlPage }));

export function TextFile({ workspaceId, path, mark }: PreviewProps) {
  const file = useFileContent(workspaceId, path);
  const isLong = file.error instanceof ApiError && file.error.status === 413;
  const beginning = useBeginning(workspaceId, path, isLong);
  const error = isLong ? beginning.error : file.error;
  const content = isLong ? beginning.data : file.data?.content;
  if (error)
    return (
      <div className="p-4">
        <Problem error={error} onRetry={() => (isLong ? beginning : file).refetch()} />
      </div>
    );
  if (content === undefined) return <Loading />;
  if (content === '\0' || file.data?.encoding === 'base64')
    return <NotShown workspaceId={workspaceId} path={path} mark={mark} />;
  return <Text workspaceId={workspaceId} path={path} mark={mark} content={content} isLong={isLong} />;
}

interface TextProps extends PreviewProps {
  content: string;
  /** True if only the file's start was loaded. */
  isLong: boolean;
}

function Text({ path, mark, content, isLong }: TextProps) {
  const { t } = useTranslation();
  const [isPlain, setPlain] = useState(mark !== undefined);
  const canRender = !isLong ? canBeRendered(path, content) : viewOf(path) === 'table';
  return (
    <div className="flex h-full flex-col">
      {canRender && (
        <div className="flex justify-end px-3 pt-2">
          <Button look="quiet" onClick={() => setPlain(!isPlain)}>
            {t(isPlain ? 'files.asFormatted' : 'files.asText')}
          </Button>
        </div>
      )}
      {isLong && (
        <div className="px-4 py-2">
          <Banner>{t('files.beginning')}</Banner>
        </div>
      )}
      <div className="min-h-0 flex-1">
        {canRender && !isPlain ? (
          <Suspense fallback={<Loading />}>
            <Rendered path={path} content={content} mark={mark} />
          </Suspense>
        ) : (
          <Lines text={content} mark={mark} path={path} />
        )}
      </div>
    </div>
  );
}

function canBeRendered(path: string, content: string): boolean {
  const kind = viewOf(path);
  if (kind === 'html') return !isHeavyPage(content);
  return kind !== 'text' && (kind !== 'markdown' || content.length < MAX_RENDERED);
}

type RenderedProps = Pick<TextProps, 'path' | 'content' | 'mark'>;

function Rendered({ path, content, mark }: RenderedProps) {
  const kind = viewOf(path);
  if (kind === 'table') return <TableFile path={path} content={content} />;
  if (kind === 'notebook') return <Notebook content={content} />;
  if (kind === 'html') return <HtmlPage path={path} content={content} />;
  return <MarkdownFile content={content} mark={mark} />;
}

function MarkdownFile({ content, mark }: { content: string; mark: Mark | undefined }) {
  const { t } = useTranslation();
  const text = useRef<HTMLDivElement>(null);
  useRenderedMark(text, mark?.quote);
  return (
    <ScrollRegion label={t('files.content')} className="h-full overflow-auto px-5 py-4">
      <div className="mx-auto max-w-3xl">
        <Markdown ref={text} text={content} />
      </div>
    </ScrollRegion>
  );
}

/** The name of the highlight in `theme.css`. */
const HIGHLIGHT = 'quote';

/**
 * Highlights the quote in a rendered text, and scrolls to it. Doesn't change the text itself, so that React
 * can render it again.
 */
function useRenderedMark(box: RefObject<HTMLElement | null>, quote: string | undefined): void {
  useEffect(() => {
    if (box.current === null || quote === undefined || !('highlights' in CSS)) return;
    const ranges = rangesOf(box.current, quote);
    if (ranges.length === 0) return;
    CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
    ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    return () => void CSS.highlights.delete(HIGHLIGHT);
  }, [box, quote]);
}

function rangesOf(box: HTMLElement, quote: string): Range[] {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  const spans = findRendered(
    nodes.map(({ data }) => data),
    quote,
  );
  return spans.flatMap(({ item, start, end }) => {
    const node = nodes[item];
    if (node === undefined) return [];
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    return [range];
  });
}

function TableFile({ path, content }: { path: string; content: string }) {
  const rows = useMemo(
    () => tableRows(content, /\.tsv$/i.test(path) ? '\t' : ',', TABLE_ROWS),
    [content, path],
  );
  const [header = [], ...body] = rows;
  return <SheetTable header={header} rows={body} />;
}
