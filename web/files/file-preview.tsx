import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Markdown } from '../parts/markdown/markdown.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { kindOf } from './file-kind.ts';
import { Lines } from './lines.tsx';
import { readBytes, useFileContent } from './queries.ts';
import type { Mark } from './quote-marks.ts';
import { tableRows } from './table-rows.ts';

interface Props {
  workspaceId: string;
  path: string;
  mark?: Mark | undefined;
}

const TABLE_ROWS = 500;
/** Beyond it Markdown is shown as the text that it is. */
const MAX_RENDERED = 400_000;

/** A file as it may be looked at: whatever is in it, it stays text, or the pixels of a picture. */
export function FilePreview({ workspaceId, path, mark }: Props) {
  const kind = kindOf(path);
  if (kind === 'image') return <Picture workspaceId={workspaceId} path={path} />;
  if (kind === 'other') return <NotShown workspaceId={workspaceId} path={path} mark={mark} />;
  return <TextFile key={path} workspaceId={workspaceId} path={path} mark={mark} />;
}

function TextFile({ workspaceId, path, mark }: Props) {
  const { t } = useTranslation();
  const file = useFileContent(workspaceId, path, true);
  const [isPlain, setPlain] = useState(mark !== undefined);
  if (file.error instanceof ApiError && file.error.status === 413)
    return <NotShown workspaceId={workspaceId} path={path} mark={mark} />;
  if (file.error)
    return (
      <div className="p-4">
        <Problem error={file.error} onRetry={() => file.refetch()} />
      </div>
    );
  if (!file.data)
    return (
      <div className="p-4">
        <Skeletons rows={10} className="h-4" />
      </div>
    );
  const { content, encoding } = file.data;
  if (encoding === 'base64') return <NotShown workspaceId={workspaceId} path={path} mark={mark} />;
  const kind = kindOf(path);
  const canRender = kind === 'table' || (kind === 'markdown' && content.length < MAX_RENDERED);
  return (
    <div className="flex h-full flex-col">
      {canRender && (
        <div className="flex justify-end px-3 pt-2">
          <Button look="quiet" aria-pressed={isPlain} onClick={() => setPlain(!isPlain)}>
            {t('files.asText')}
          </Button>
        </div>
      )}
      <div className="min-h-0 flex-1">
        {canRender && !isPlain ? (
          <Rendered path={path} content={content} />
        ) : (
          <Lines text={content} mark={mark} />
        )}
      </div>
    </div>
  );
}

function Rendered({ path, content }: { path: string; content: string }) {
  const { t } = useTranslation();
  return (
    <ScrollRegion label={t('files.content')} className="h-full overflow-auto px-5 py-4">
      {kindOf(path) === 'table' ? <TableFile path={path} content={content} /> : <Markdown text={content} />}
    </ScrollRegion>
  );
}

function TableFile({ path, content }: { path: string; content: string }) {
  const { t } = useTranslation();
  const rows = useMemo(
    () => tableRows(content, /\.tsv$/i.test(path) ? '\t' : ',', TABLE_ROWS + 1),
    [content, path],
  );
  const [header = [], ...body] = rows;
  return (
    <>
      <PlainTable header={header} rows={body.slice(0, TABLE_ROWS)} cellClass="max-w-96 truncate" />
      {rows.length > TABLE_ROWS && (
        <p className="pt-3 text-sm text-muted">{t('files.firstRows', { count: TABLE_ROWS })}</p>
      )}
    </>
  );
}

function Picture({ workspaceId, path }: Props) {
  const [address, setAddress] = useState<string>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    const leaving = new AbortController();
    let made: string | undefined;
    readBytes(workspaceId, path, leaving.signal).then(
      (bytes) => {
        made = URL.createObjectURL(bytes);
        setAddress(made);
      },
      (problem: Error) => problem.name !== 'AbortError' && setError(problem),
    );
    return () => {
      leaving.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [workspaceId, path]);
  return (
    <div className="flex h-full items-center justify-center overflow-auto bg-sunken p-4">
      {error && <Problem error={error} />}
      {address === undefined ? (
        <div className="skeleton size-64" />
      ) : (
        <img src={address} alt={path} className="max-h-full max-w-full rounded-sm shadow-raised" />
      )}
    </div>
  );
}

/** What has no preview yet: the words that were quoted from it, and the file itself. */
function NotShown({ workspaceId, path, mark }: Props) {
  const { t } = useTranslation();
  const [error, setError] = useState<Error>();
  const download = () =>
    readBytes(workspaceId, path).then(
      (bytes) => saveFile(bytes, path.split('/').at(-1) ?? 'file'),
      (problem: Error) => setError(problem),
    );
  return (
    <div className="h-full overflow-y-auto p-5">
      {mark?.quote && (
        <blockquote className="rounded-md border-l-4 border-accent bg-sunken px-4 py-3 text-sm">
          <mark className="bg-mark px-0.5 text-ink">{mark.quote}</mark>
        </blockquote>
      )}
      <EmptyState icon="file" title={t('files.noPreview')}>
        <p>{t('files.noPreviewNext')}</p>
        <div className="mt-4">
          <Button icon="download" onClick={download}>
            {t('files.download')}
          </Button>
        </div>
        {error && <Problem error={error} />}
      </EmptyState>
    </div>
  );
}
