import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { DocumentText } from './document-text.tsx';
import { Lines } from './lines.tsx';
import { Loading } from './loading.tsx';
import { NotShown } from './not-shown.tsx';
import type { PreviewProps } from './preview-props.ts';
import { useIndexedText } from './queries.ts';
import { type Mark, quoteSpans } from './quote-marks.ts';
import { SheetTable } from './sheet-table.tsx';
import { markedCells, readSheets, type SheetRows } from './sheets.ts';

/** An Office document, book, or email, shown as its indexed text, because citations refer to that. */
export function DocumentView({ workspaceId, path, mark }: PreviewProps) {
  const { t } = useTranslation();
  const { data, isPending } = useIndexedText(workspaceId, path);
  const sheets = useMemo(() => data && readSheets(data.content, data.parts ?? []), [data]);
  if (isPending) return <Loading />;
  if (data === undefined) return <NotShown workspaceId={workspaceId} path={path} mark={mark} />;
  return (
    <div className="flex h-full flex-col">
      <div className="px-4 py-2">
        <Banner>
          {t(sheets ? 'files.sheetText' : data.blocks ? 'files.blocksText' : 'files.documentText')}
        </Banner>
      </div>
      <div className="min-h-0 flex-1">
        {sheets ? (
          <Sheets text={data.content} sheets={sheets} mark={mark} />
        ) : data.blocks ? (
          <DocumentText text={data.content} blocks={data.blocks} parts={data.parts ?? []} mark={mark} />
        ) : (
          <Lines text={data.content} mark={mark} parts={data.parts} />
        )}
      </div>
    </div>
  );
}

interface SheetsProps {
  text: string;
  sheets: SheetRows[];
  mark: Mark | undefined;
}

/** The sheets, one below another, in file order. The cited one is open. */
function Sheets({ text, sheets, mark: cited }: SheetsProps) {
  const lines = useMemo(() => text.split('\n'), [text]);
  const spans = useMemo(() => cited && quoteSpans(lines, cited), [lines, cited]);
  const mark = withQuotedLines(cited, [...(spans?.keys() ?? [])]);
  const open = sheets.findIndex(({ firstLine, rows }) => isIn(mark, firstLine, rows.length));
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      {sheets.map((sheet, place) => (
        <details
          key={sheet.firstLine}
          open={place === Math.max(0, open)}
          className="shrink-0 border-b border-line"
        >
          <summary className="min-h-9 px-4 py-1.5 text-sm font-semibold">{sheet.name}</summary>
          <div className="h-[60vh]">
            <SheetTable
              header={sheet.letters}
              rows={sheet.rows}
              numbers={sheet.numbers}
              marked={
                place === open && mark ? [mark.from - sheet.firstLine, mark.to - sheet.firstLine] : undefined
              }
              markedCells={(row) => {
                const span = spans?.get(sheet.firstLine + row);
                return span && markedCells(lines[sheet.firstLine + row - 1] ?? '', span);
              }}
            />
          </div>
        </details>
      ))}
    </div>
  );
}

/** Narrows the mark to the lines of the quote if it was found, because a passage has many rows. */
function withQuotedLines(mark: Mark | undefined, quoted: readonly number[]): Mark | undefined {
  const [from, to] = [quoted[0], quoted.at(-1)];
  return mark === undefined || from === undefined || to === undefined ? mark : { ...mark, from, to };
}

function isIn(mark: Mark | undefined, firstLine: number, count: number): boolean {
  return mark !== undefined && mark.from >= firstLine - 1 && mark.from < firstLine + count;
}
