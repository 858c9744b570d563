import { useQuery } from '@tanstack/react-query';
import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../parts/banner.tsx';
import { openByteRanges } from '../byte-ranges.ts';
import { Loading } from '../loading.tsx';
import type { PreviewProps } from '../preview-props.ts';
import { SheetTable } from '../sheet-table.tsx';
import { cellText } from './cell-text.ts';

/** The first rows of a Parquet file. The browser reads only the byte ranges that it needs. */
export function ParquetView({ workspaceId, path }: PreviewProps) {
  const { t } = useTranslation();
  const table = useQuery({
    queryKey: ['parquet', workspaceId, path],
    queryFn: ({ signal }) => readParquet(workspaceId, path, signal),
    retry: false,
  });
  if (table.error)
    return (
      <div className="p-4">
        <Banner look="warn">{t('files.parquetProblem', { why: table.error.message })}</Banner>
      </div>
    );
  if (table.data === undefined) return <Loading />;
  const { header, rows, total } = table.data;
  return (
    <div className="flex h-full flex-col">
      {total > rows.length && (
        <div className="px-4 py-2">
          <Banner>{t('files.firstRows', { count: rows.length, total })}</Banner>
        </div>
      )}
      <div className="min-h-0 flex-1">
        <SheetTable header={header} rows={rows} />
      </div>
    </div>
  );
}

const BEGINNING = 64 * 1024;
const ROWS = 1_000;

/** Maximum bytes to read, so a file with pages of gigabytes isn't shown. */
const MAX_READ = 48 * 1024 * 1024;

interface ParquetTable {
  header: string[];
  rows: string[][];
  total: number;
}

async function readParquet(workspaceId: string, path: string, signal: AbortSignal): Promise<ParquetTable> {
  const { size, read } = await openByteRanges(workspaceId, path, BEGINNING, signal);
  let left = MAX_READ;
  const file = {
    byteLength: size,
    slice: async (begin: number, end = size) => {
      left -= end - begin;
      if (left < 0) throw new RangeError(`> ${MAX_READ / 1024 / 1024} MB`);
      return (await read(begin, end)).buffer;
    },
  };
  const metadata = await parquetMetadataAsync(file);
  const header = parquetSchema(metadata).children.map(({ element }) => element.name);
  const total = Number(metadata.num_rows);
  const rows = await parquetReadObjects({ file, metadata, rowEnd: Math.min(ROWS, total) });
  return { header, total, rows: rows.map((row) => header.map((name) => cellText(row[name]))) };
}
