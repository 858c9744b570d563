import './pdf.css';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../parts/banner.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import type { Mark } from '../quote-marks.ts';
import { openPdf } from './open-pdf.ts';
import { PdfPage } from './pdf-page.tsx';
import { GAP_PX, type Opened, usePages } from './use-pages.ts';

interface Props {
  workspaceId: string;
  path: string;
  mark?: Mark | undefined;
}

const ZOOM_STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

/** A PDF, page by page; it opens at its mark's page, with the quote marked there. */
export function PdfView({ workspaceId, path, mark }: Props) {
  const [opened, setOpened] = useState<Opened>();
  const [error, setError] = useState<Error>();
  const opensAt = useRef(1);
  opensAt.current = mark?.page ?? 1;
  useEffect(() => {
    const leaving = new AbortController();
    let task: PDFDocumentLoadingTask | undefined;
    const fail = (problem: Error) => leaving.signal.aborted || setError(problem);
    const open = async () => {
      task = await openPdf(workspaceId, path, leaving.signal, fail);
      const pdf = await task.promise;
      const first = await pdf.getPage(Math.min(opensAt.current, pdf.numPages));
      const { width, height } = first.getViewport({ scale: 1 });
      if (!leaving.signal.aborted) setOpened({ pdf, width, height });
    };
    open().catch(fail);
    return () => {
      leaving.abort();
      void task?.destroy();
    };
  }, [workspaceId, path]);
  if (error) return <PdfProblem error={error} />;
  if (opened === undefined) return <div className="skeleton m-4 h-[80%]" />;
  return <Pages opened={opened} mark={mark} />;
}

function PdfProblem({ error }: { error: Error }) {
  const { t } = useTranslation();
  const known = { PasswordException: 'locked', InvalidPDFException: 'broken' }[error.name];
  return (
    <div className="p-4">
      {known === undefined ? (
        <Problem error={error} />
      ) : (
        <Banner look="warn">{t(`files.pdf.${known as 'locked' | 'broken'}`)}</Banner>
      )}
    </div>
  );
}

function Pages({ opened, mark }: { opened: Opened; mark: Mark | undefined }) {
  const { t } = useTranslation();
  const { pdf, width } = opened;
  const [zoom, setZoom] = useState(1);
  const [isMissing, setMissing] = useState(false);
  const { pane, rows, scale, page, first, goTo, showMark, items } = usePages(opened, zoom, mark);
  const onSought = (y: number | undefined) => {
    setMissing(y === undefined);
    if (y !== undefined) showMark(y);
  };
  return (
    <div className="flex h-full flex-col">
      <PdfBar page={page} pages={pdf.numPages} zoom={zoom} onZoom={setZoom} onPage={goTo} />
      {isMissing && (
        <div className="px-4 py-2">
          <Banner look="warn">{t('files.pdf.notMarked', { page: first })}</Banner>
        </div>
      )}
      <ScrollRegion
        ref={pane}
        label={t('files.content')}
        className="min-h-0 flex-1 overflow-auto bg-sunken [overflow-anchor:none]"
      >
        <div className="relative mx-auto" style={{ height: rows.getTotalSize(), width: width * scale }}>
          {items.map(({ index, start }) => (
            <div
              key={index}
              ref={rows.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)`, paddingTop: GAP_PX }}
              className="absolute inset-x-0 top-0"
            >
              <PdfPage
                pdf={pdf}
                number={index + 1}
                scale={scale}
                size={opened}
                quote={index + 1 === first ? mark?.quote : undefined}
                onSought={onSought}
              />
            </div>
          ))}
        </div>
      </ScrollRegion>
    </div>
  );
}

interface BarProps {
  page: number;
  pages: number;
  zoom: number;
  onZoom: (zoom: number) => void;
  onPage: (page: number) => void;
}

function PdfBar({ page, pages, zoom, onZoom, onPage }: BarProps) {
  const { t } = useTranslation();
  const at = ZOOM_STEPS.indexOf(zoom);
  return (
    <div className="flex items-center gap-1 border-b border-line px-3 py-1 text-sm">
      <label className="flex items-center gap-2 text-muted">
        {t('files.pdf.page')}
        <input
          key={page}
          type="number"
          min={1}
          max={pages}
          defaultValue={page}
          onChange={({ target: { valueAsNumber: wanted } }) =>
            Number.isInteger(wanted) && wanted >= 1 && wanted <= pages && onPage(wanted)
          }
          className="h-9 w-16 rounded-md border border-line bg-surface px-2 text-ink tabular-nums"
        />
      </label>
      <span className="flex-1 text-muted tabular-nums">{t('files.pdf.of', { pages })}</span>
      <IconButton
        icon="minus"
        label={t('files.pdf.smaller')}
        disabled={at === 0}
        onClick={() => onZoom(ZOOM_STEPS[at - 1] ?? 1)}
      />
      <span className="w-12 text-center text-muted tabular-nums">{Math.round(zoom * 100)} %</span>
      <IconButton
        icon="plus"
        label={t('files.pdf.larger')}
        disabled={at === ZOOM_STEPS.length - 1}
        onClick={() => onZoom(ZOOM_STEPS[at + 1] ?? 1)}
      />
    </div>
  );
}
