import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Lines } from './lines.tsx';
import { Loading } from './loading.tsx';
import { NotShown } from './not-shown.tsx';
import type { PreviewProps } from './preview-props.ts';
import { useIndexedText } from './queries.ts';
import type { Mark } from './quote-marks.ts';
import { SheetTable } from './sheet-table.tsx';
import { readSheets, type SheetRows } from './sheets.ts';

/** An office document, book, or email: its text as it is indexed, which citations are about. */
export function DocumentView({ workspaceId, path, mark }: PreviewProps) {
  const { t } = useTranslation();
  const { data, isPending } = useIndexedText(workspaceId, path);
  const sheets = useMemo(() => data && readSheets(data.content, data.parts ?? []), [data]);
  if (isPending) return <Loading />;
  if (data === undefined) return <NotShown workspaceId={workspaceId} path={path} mark={mark} />;
  return (
    <div className="flex h-full flex-col">
      <div className="px-4 py-2">
        <Banner>{t(sheets ? 'files.sheetText' : 'files.documentText')}</Banner>
      </div>
      <div className="min-h-0 flex-1">
        {sheets ? (
          <Sheets sheets={sheets} mark={mark} />
        ) : (
          <Lines text={data.content} mark={mark} parts={data.parts} />
        )}
      </div>
    </div>
  );
}

/** The sheets one below the other, in the order of the file; the cited one is open. */
function Sheets({ sheets, mark }: { sheets: SheetRows[]; mark: Mark | undefined }) {
  const cited = sheets.findIndex(({ firstLine, rows }) => isIn(mark, firstLine, rows.length));
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      {sheets.map((sheet, place) => (
        <details
          key={sheet.firstLine}
          open={place === Math.max(0, cited)}
          className="shrink-0 border-b border-line"
        >
          <summary className="min-h-9 px-4 py-1.5 text-sm font-semibold">{sheet.name}</summary>
          <div className="h-[60vh]">
            <SheetTable
              header={[]}
              rows={sheet.rows}
              numbers={sheet.numbers}
              marked={
                place === cited && mark ? [mark.from - sheet.firstLine, mark.to - sheet.firstLine] : undefined
              }
            />
          </div>
        </details>
      ))}
    </div>
  );
}

function isIn(mark: Mark | undefined, firstLine: number, count: number): boolean {
  return mark !== undefined && mark.from >= firstLine - 1 && mark.from < firstLine + count;
}
