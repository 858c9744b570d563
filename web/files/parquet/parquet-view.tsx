import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../parts/banner.tsx';
import { Loading } from '../loading.tsx';
import type { PreviewProps } from '../preview-props.ts';
import { SheetTable } from '../sheet-table.tsx';
import { readParquet } from './read-parquet.ts';

/** The first rows of a Parquet file, read in the browser out of the pieces that hold them. */
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
