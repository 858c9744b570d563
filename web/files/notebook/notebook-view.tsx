import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../parts/banner.tsx';
import { CodeBlock } from '../../parts/markdown/code-block.tsx';
import { Markdown } from '../../parts/markdown/markdown.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { useBlobAddress } from '../picture.tsx';
import {
  MAX_CELLS,
  type NotebookCell,
  type NotebookOutput,
  notebookLanguage,
  readNotebook,
} from './read-notebook.ts';

/** The assumed height of a cell in pixels until it's rendered. */
const CELL_PX = 120;

/** The cells of a notebook with their outputs. HTML output is shown as its plain text. */
export function NotebookView({ content }: { content: string }) {
  const { t } = useTranslation();
  const cells = useMemo(() => readNotebook(content), [content]);
  const language = useMemo(() => notebookLanguage(content), [content]);
  if (cells === undefined)
    return (
      <div className="p-4">
        <Banner look="warn">{t('files.noNotebook')}</Banner>
      </div>
    );
  return <Cells cells={cells} language={language} />;
}

/** Renders only the visible cells, because a notebook may have two thousand, each with a thousand elements. */
function Cells({ cells, language }: { cells: NotebookCell[]; language: string }) {
  const { t } = useTranslation();
  const pane = useRef<HTMLDivElement>(null);
  const drawn = useVirtualizer({
    count: cells.length,
    getScrollElement: () => pane.current,
    estimateSize: () => CELL_PX,
    overscan: 4,
  });
  return (
    <ScrollRegion ref={pane} label={t('files.content')} className="h-full overflow-auto px-5 py-4">
      <div className="relative mx-auto max-w-4xl" style={{ height: drawn.getTotalSize() }}>
        {drawn.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            ref={drawn.measureElement}
            data-index={index}
            style={{ transform: `translateY(${start}px)` }}
            className="absolute inset-x-0 top-0 pb-4"
          >
            <Cell cell={cells[index] as NotebookCell} language={language} number={index + 1} />
          </div>
        ))}
      </div>
      {cells.length === MAX_CELLS && <Banner>{t('files.firstCells', { count: MAX_CELLS })}</Banner>}
    </ScrollRegion>
  );
}

interface CellProps {
  cell: NotebookCell;
  language: string;
  number: number;
}

function Cell({ cell: { kind, source, outputs }, language, number }: CellProps) {
  const { t } = useTranslation();
  if (kind === 'markdown') return <Markdown text={source} />;
  return (
    <section aria-label={t('files.cell', { number })} className="rounded-md border border-line">
      {kind === 'code' ? (
        <div className="prose">
          <CodeBlock text={source} name={language} />
        </div>
      ) : (
        <ScrollRegion label={t('parts.code')} className="overflow-x-auto bg-sunken px-3 py-2">
          <pre className="font-mono text-xs">{source}</pre>
        </ScrollRegion>
      )}
      {outputs.map((output, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no names but their places
        <Output key={place} output={output} />
      ))}
    </section>
  );
}

function Output({ output }: { output: NotebookOutput }) {
  const { t } = useTranslation();
  if (output.kind === 'image') return <OutputImage type={output.type} base64={output.base64} />;
  return (
    <ScrollRegion label={t('files.output')} className="max-h-96 overflow-auto border-t border-line px-3 py-2">
      <pre className={`font-mono text-xs ${output.kind === 'error' ? 'text-danger' : ''}`}>{output.text}</pre>
    </ScrollRegion>
  );
}

function OutputImage({ type, base64 }: { type: string; base64: string }) {
  const { t } = useTranslation();
  const bytes = useMemo(() => decode(base64, type), [base64, type]);
  const address = useBlobAddress(bytes);
  return (
    <div className="border-t border-line p-3">
      {address && <img src={address} alt={t('files.output')} className="max-w-full bg-[white]" />}
    </div>
  );
}

function decode(base64: string, type: string): Blob | undefined {
  try {
    return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type });
  } catch {
    return undefined;
  }
}
