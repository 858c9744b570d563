import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { type Mark, quoteSpans, type Span } from './quote-marks.ts';

const LINE_PX = 22;
/** Of one line, so that a file of one long line is drawn too. */
const MAX_SHOWN = 20_000;

/** A text by its lines, only those that are seen. It opens at its mark. */
export function Lines({ text, mark }: { text: string; mark?: Mark | undefined }) {
  const { t } = useTranslation();
  const pane = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split(/\r\n|\n|\r/), [text]);
  const spans = useMemo(() => (mark ? quoteSpans(lines, mark) : new Map<number, Span>()), [lines, mark]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => pane.current,
    estimateSize: () => LINE_PX,
    overscan: 12,
  });
  const first = mark && Math.min(lines.length, [...spans.keys()][0] ?? mark.from);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each mark
  useEffect(() => {
    if (first !== undefined) rows.scrollToIndex(first - 1, { align: 'center' });
  }, [first]);
  const digits = String(lines.length).length;
  return (
    <ScrollRegion ref={pane} label={t('files.content')} className="h-full overflow-auto font-mono text-xs">
      <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start}px)` }}
            className="absolute inset-x-0 top-0 flex"
          >
            <Line
              number={index + 1}
              digits={digits}
              text={lines[index] ?? ''}
              span={spans.get(index + 1)}
              isMarked={mark !== undefined && index + 1 >= mark.from && index + 1 <= mark.to}
            />
          </div>
        ))}
      </div>
    </ScrollRegion>
  );
}

interface LineProps {
  number: number;
  digits: number;
  text: string;
  span: Span | undefined;
  isMarked: boolean;
}

function Line({ number, digits, text, span, isMarked }: LineProps) {
  const shown = text.slice(0, MAX_SHOWN);
  return (
    <>
      <span
        aria-hidden="true"
        style={{ minWidth: `${digits + 3}ch` }}
        className={`shrink-0 border-r-2 pr-2 text-right leading-[22px] text-muted select-none ${isMarked ? 'border-accent bg-accent-soft' : 'border-transparent'}`}
      >
        {number}
      </span>
      <span className="min-w-0 flex-1 px-3 leading-[22px] break-words whitespace-pre-wrap">
        {span ? (
          <>
            {shown.slice(0, span[0])}
            <mark className="rounded-sm bg-mark text-ink">{shown.slice(...span)}</mark>
            {shown.slice(span[1])}
          </>
        ) : (
          shown || ' '
        )}
      </span>
    </>
  );
}
