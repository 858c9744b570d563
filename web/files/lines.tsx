import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { languageOf } from '../parts/code/language-of.ts';
import type { Token } from '../parts/code/token.ts';
import { useColors } from '../parts/code/use-colors.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { excerpt, linePieces, MAX_SHOWN, type Piece } from './line-pieces.ts';
import { useOpenAtMark } from './open-at-mark.ts';
import { type Mark, quoteSpans, type Span } from './quote-marks.ts';

const LINE_PX = 22;
/**
 * Maximum colored tokens per line. Each is an element, and a browser takes half a minute to wrap a line with
 * ninety thousand.
 */
const MAX_TOKENS = 2_000;

export type Part = NonNullable<Schemas['FileContent']['parts']>[number];

interface Props {
  text: string;
  mark?: Mark | undefined;
  /** The path of the text's file, because code has colors. */
  path?: string | undefined;
  parts?: readonly Part[] | undefined;
}

/** A text by lines, of which only visible ones are rendered. It opens at its mark. */
export function Lines({ text, mark, path, parts = [] }: Props) {
  const { t } = useTranslation();
  const pane = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split(/\r\n|\n|\r/), [text]);
  const spans = useMemo(() => (mark ? quoteSpans(lines, mark) : new Map<number, Span>()), [lines, mark]);
  const beginning = useMemo(() => new Map(parts.map((part) => [part.line, part])), [parts]);
  const colored = useColors(lines, languageOf(path ?? ''));
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => pane.current,
    estimateSize: () => LINE_PX,
    overscan: 12,
  });
  const first = mark && Math.min(lines.length, [...spans.keys()][0] ?? mark.from);
  useOpenAtMark(pane, rows, first === undefined ? undefined : first - 1);
  const digits = String(lines.length).length;
  return (
    <ScrollRegion ref={pane} label={t('files.content')} className="h-full overflow-auto font-mono text-xs">
      <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-user-content
            data-index={index}
            data-line={index + 1}
            style={{ transform: `translateY(${start}px)` }}
            className="absolute inset-x-0 top-0"
          >
            <PartHead part={beginning.get(index + 1)} />
            <Line
              number={index + 1}
              digits={digits}
              pieces={piecesOf(lines[index] ?? '', spans.get(index + 1), colored?.[index])}
              isMarked={mark !== undefined && index + 1 >= mark.from && index + 1 <= mark.to}
            />
          </div>
        ))}
      </div>
    </ScrollRegion>
  );
}

const UNITS = ['page', 'slide', 'cell', 'sheet'] as const;

/** A heading at the start of a page, a slide, or a sheet. */
export function PartHead({ part }: { part: Part | undefined }) {
  const { t } = useTranslation();
  const unit = UNITS.find((each) => part?.[each] !== undefined);
  if (part === undefined || unit === undefined) return null;
  return (
    <p className="border-t border-line px-3 pt-2 font-sans font-semibold text-muted">
      {t(`chat.place.${unit}`, { at: part[unit] })}
    </p>
  );
}

interface LineProps {
  number: number;
  digits: number;
  pieces: Piece[];
  isMarked: boolean;
}

function Line({ number, digits, pieces, isMarked }: LineProps) {
  return (
    <div className="flex">
      <span
        aria-hidden="true"
        style={{ minWidth: `${digits + 3}ch` }}
        className={`shrink-0 border-r-2 pr-2 text-right leading-[22px] text-muted select-none ${isMarked ? 'border-accent bg-accent-soft' : 'border-transparent'}`}
      >
        {number}
      </span>
      <span className="min-w-0 flex-1 px-3 leading-[22px] break-words whitespace-pre-wrap">
        <Pieces pieces={pieces} />
      </span>
    </div>
  );
}

export function Pieces({ pieces }: { pieces: Piece[] }) {
  if (pieces.length === 0) return ' ';
  return pieces.map(({ text, kind, isMarked }, place) => {
    const key = `piece ${place}`;
    const look = kind === undefined ? '' : `code-${kind}`;
    if (isMarked)
      return (
        <mark key={key} className={`rounded-sm bg-mark text-ink ${look}`}>
          {text}
        </mark>
      );
    if (look === '') return text;
    return (
      <span key={key} className={look}>
        {text}
      </span>
    );
  });
}

function piecesOf(line: string, span: Span | undefined, colored: readonly Token[] | undefined): Piece[] {
  const isPlain = line.length > MAX_SHOWN || colored === undefined || colored.length > MAX_TOKENS;
  return isPlain ? excerpt(line, span) : linePieces(colored, span);
}
