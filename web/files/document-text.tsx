import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { type DocumentBlock, documentBlocks, linesOf, type TextPiece } from './document-blocks.ts';
import { excerpt } from './line-pieces.ts';
import { type Part, PartHead, Pieces } from './lines.tsx';
import { useOpenAtMark } from './open-at-mark.ts';
import { type Mark, quoteSpans, type Span } from './quote-marks.ts';

const BLOCK_PX = 48;

interface Props {
  text: string;
  blocks: NonNullable<Schemas['FileContent']['blocks']>;
  parts: readonly Part[];
  mark: Mark | undefined;
}

/**
 * The text of an Office document with its headings, lists, and tables. It opens at its mark, and renders only visible
 * blocks.
 */
export function DocumentText({ text, blocks: kinds, parts, mark }: Props) {
  const { t } = useTranslation();
  const pane = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split('\n'), [text]);
  const blocks = useMemo(() => documentBlocks(lines, kinds), [lines, kinds]);
  const spans = useMemo(() => (mark ? quoteSpans(lines, mark) : new Map<number, Span>()), [lines, mark]);
  const beginning = useMemo(() => partsByBlock(blocks, parts), [blocks, parts]);
  const drawn = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => pane.current,
    estimateSize: () => BLOCK_PX,
    overscan: 12,
  });
  const first = useMemo(
    () => mark && blockAt(blocks, [...spans.keys()][0] ?? mark.from),
    [blocks, spans, mark],
  );
  useOpenAtMark(pane, drawn, first);
  return (
    <ScrollRegion ref={pane} label={t('files.content')} className="h-full overflow-auto px-5">
      <div className="relative mx-auto max-w-3xl" style={{ height: drawn.getTotalSize() }}>
        {drawn.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={drawn.measureElement}
            data-user-content
            data-index={index}
            style={{ transform: `translateY(${start}px)` }}
            className="absolute inset-x-0 top-0"
          >
            <div className="-mx-3">
              <PartHead part={beginning.get(index)} />
            </div>
            <Block
              block={blocks[index] as DocumentBlock}
              isNext={isSameTable(blocks[index - 1], blocks[index])}
              marks={{ spans, mark }}
            />
          </div>
        ))}
      </div>
    </ScrollRegion>
  );
}

/** Maps the index of a block to the part that starts there. */
function partsByBlock(blocks: readonly DocumentBlock[], parts: readonly Part[]): Map<number, Part> {
  const ends = lastLines(blocks);
  let place = 0;
  return new Map(
    parts.map((part) => {
      while (place < ends.length - 1 && (ends[place] ?? 0) < part.line) place++;
      return [place, part];
    }),
  );
}

/** Returns the index of the block with a line, or of the next one. */
function blockAt(blocks: readonly DocumentBlock[], line: number): number {
  const place = lastLines(blocks).findIndex((last) => last >= line);
  return place < 0 ? Math.max(0, blocks.length - 1) : place;
}

function lastLines(blocks: readonly DocumentBlock[]): number[] {
  return blocks.map((block) => linesOf(block).at(-1)?.line ?? 0);
}

/** Returns whether a block continues the previous table or list. */
function isSameTable(before: DocumentBlock | undefined, block: DocumentBlock | undefined): boolean {
  if (before === undefined || block === undefined || before.kind !== block.kind) return false;
  if (block.kind !== 'table' && block.kind !== 'list') return false;
  const [last = 0] = lastLines([before]);
  return last + 1 === linesOf(block)[0]?.line;
}

interface Marks {
  spans: Map<number, Span>;
  mark: Mark | undefined;
}

interface BlockProps {
  block: DocumentBlock;
  isNext: boolean;
  marks: Marks;
}

const LEVELS = ['h3', 'h4', 'h5', 'h6'] as const;

function Block({ block, isNext, marks }: BlockProps) {
  if (block.kind === 'table') return <TableRows block={block} isNext={isNext} marks={marks} />;
  if (block.kind === 'list') return <ListItems block={block} marks={marks} />;
  if (block.kind === 'paragraph')
    return (
      <p className="py-1.5">
        <Texts lines={block.lines} marks={marks} />
      </p>
    );
  const Heading = LEVELS[Math.min(block.rank, LEVELS.length - 1)] ?? 'h6';
  return (
    <Heading className={`pt-4 pb-1 font-semibold ${block.rank === 0 ? 'text-lg' : ''}`}>
      <Texts lines={block.lines} marks={marks} />
    </Heading>
  );
}

function ListItems({ block, marks }: { block: Extract<DocumentBlock, { kind: 'list' }>; marks: Marks }) {
  return (
    <ul className="list-disc pl-6">
      {block.items.map(({ depth, lines }) => (
        <li key={lines[0]?.line} style={{ marginLeft: `${depth * 1.4}rem` }} className="py-0.5">
          <Texts lines={lines} marks={marks} />
        </li>
      ))}
    </ul>
  );
}

interface TableProps {
  block: Extract<DocumentBlock, { kind: 'table' }>;
  isNext: boolean;
  marks: Marks;
}

/** The rows of a block. In all blocks of a table, columns have the same widths. */
function TableRows({ block: { rows, columns }, isNext, marks }: TableProps) {
  const { t } = useTranslation();
  return (
    <ScrollRegion label={t('parts.table')} className={`fades overflow-x-auto ${isNext ? '' : 'pt-2'}`}>
      <table style={{ minWidth: `${columns * 6}rem` }} className="w-full table-fixed border-collapse text-sm">
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[0]?.line}>
              {Array.from({ length: columns }, (_, column) => {
                const key = `column ${column}`;
                const cell = cells[column];
                return (
                  <td key={key} className="border border-line px-2.5 py-1 align-top">
                    {cell && <Texts lines={[cell]} marks={marks} />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The lines of a block, with the quote marked. If the quote isn't found, the cited lines are marked. */
function Texts({ lines, marks: { spans, mark } }: { lines: TextPiece[]; marks: Marks }) {
  return lines.map(({ line, column, text }, place) => {
    const isCited = spans.size === 0 && mark !== undefined && line >= mark.from && line <= mark.to;
    return (
      <span
        key={`${line} ${column}`}
        data-line={line}
        className={`wrap-anywhere ${isCited ? 'bg-accent-soft' : ''}`}
      >
        {place > 0 && <br />}
        <Pieces pieces={excerpt(text, isCited ? undefined : spanIn(spans.get(line), column))} />
      </span>
    );
  });
}

function spanIn(span: Span | undefined, column: number): Span | undefined {
  return span && [Math.max(0, span[0] - column), Math.max(0, span[1] - column)];
}
