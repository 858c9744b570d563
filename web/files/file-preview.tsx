import { lazy, Suspense } from 'react';
import { type FileView, viewOf } from '../../lib/api-contract/file-kinds.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { Banner } from '../parts/banner.tsx';
import { Loading } from './loading.tsx';
import { NotShown } from './not-shown.tsx';
import { Picture } from './picture.tsx';
import type { PreviewProps } from './preview-props.ts';
import { TextFile } from './text-file.tsx';
import { useLack } from './use-lack.ts';

/** Views that are large, and are loaded when a file of their kind is opened. */
const VIEWS: Partial<Record<FileView, React.ComponentType<PreviewProps>>> = {
  image: Picture,
  other: NotShown,
  pdf: lazy(async () => ({ default: (await fetchPart(() => import('./pdf/pdf-view.tsx'))).PdfView })),
  parquet: lazy(async () => ({
    default: (await fetchPart(() => import('./parquet/parquet-view.tsx'))).ParquetView,
  })),
  document: lazy(async () => ({
    default: (await fetchPart(() => import('./document-view.tsx'))).DocumentView,
  })),
};

/** A safe preview of a file. Whatever the file contains, it's shown as text, or as the pixels of an image. */
export function FilePreview({ workspaceId, path, mark }: PreviewProps) {
  const View = VIEWS[viewOf(path)] ?? TextFile;
  return (
    <div className="flex h-full flex-col">
      <ReadNotice workspaceId={workspaceId} path={path} mark={mark} />
      <div className="min-h-0 flex-1">
        <Suspense fallback={<Loading />}>
          <View key={path} workspaceId={workspaceId} path={path} mark={mark} />
        </Suspense>
      </div>
    </div>
  );
}

/** Shown above a preview if the file isn't in the index, or parts of it weren't read. */
function ReadNotice({ workspaceId, path }: PreviewProps) {
  const lack = useLack(workspaceId, path);
  const kind = viewOf(path);
  // NotShown shows the reason.
  const saysItself = kind === 'other' || (kind === 'document' && !lack?.isIndexed);
  if (lack === undefined || saysItself) return null;
  return (
    <div className="px-4 py-2">
      <Banner look="warn">{lack.text}</Banner>
    </div>
  );
}
