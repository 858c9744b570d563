import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, take } from '../../api/client.ts';
import { LinkButton } from '../../parts/button.tsx';
import { formatCount } from '../../parts/format.ts';
import { factsOf } from '../../workspaces/index-facts.ts';
import { Freshness } from '../../workspaces/index-line.tsx';
import { syncQuery } from '../../workspaces/queries.ts';
import { outcomeOf } from './outcome.ts';
import type { Upload } from './upload.ts';

const MOST = 1000;

interface Props {
  workspaceId: string;
  uploads: Upload[];
}

/** The result for the added files: how many can be asked about, and why the others can't. */
export function UploadOutcome({ workspaceId, uploads }: Props) {
  const sync = useQuery(syncQuery(workspaceId));
  const doneAt = Math.max(...uploads.map((upload) => upload.doneAt ?? 0));
  const isKnown = sync.dataUpdatedAt > doneAt;
  if (sync.data === undefined || !isKnown) return <p className="min-h-9" />;
  if (factsOf(sync.data).freshness === 'indexing')
    return (
      <p className="flex min-h-9 items-center text-sm">
        <Freshness state={sync.data} />
      </p>
    );
  return (
    <Indexed workspaceId={workspaceId} uploads={uploads.filter(({ isDone }) => isDone)} doneAt={doneAt} />
  );
}

function Indexed({ workspaceId, uploads, doneAt }: Props & { doneAt: number }) {
  const { t, i18n } = useTranslation();
  const leftOut = useLeftOut(workspaceId, doneAt);
  if (leftOut.data === undefined || uploads.length === 0) return <p className="min-h-9" />;
  const paths = uploads.map(({ path }) => path);
  const { askable, others } = outcomeOf(paths, leftOut.data.files);
  const counted = (count: number) => ({ count, files: formatCount(count, i18n.language) });
  const isCounted = leftOut.data.isWhole;
  return (
    <div className="space-y-2 pb-1">
      <p className="text-sm">
        {isCounted && t('index.added.askable', counted(askable))}
        {isCounted && others.map(({ group, count }) => ` · ${t(`index.${group}`, counted(count))}`)}{' '}
        {(others.length > 0 || !isCounted) && (
          <Link to="/w/$workspaceId" params={{ workspaceId }} className="text-accent underline">
            {t('index.added.see')}
          </Link>
        )}
      </p>
      {askable > 0 && (
        <LinkButton icon="chat" to="/w/$workspaceId/chat" params={{ workspaceId }}>
          {t('index.added.ask')}
        </LinkButton>
      )}
    </div>
  );
}

/** Returns all files that aren't in the index, limited to one page per state. */
function useLeftOut(workspaceId: string, doneAt: number) {
  return useQuery({
    queryKey: ['listed', workspaceId, 'left-out', doneAt],
    queryFn: async () => {
      const list = (state: 'failed' | 'skipped') =>
        take(
          api.GET('/api/workspaces/{workspaceId}/files', {
            params: { path: { workspaceId }, query: { state, limit: MOST } },
          }),
        );
      const lists = await Promise.all([list('failed'), list('skipped')]);
      return { files: lists.flat(), isWhole: lists.every(({ length }) => length < MOST) };
    },
  });
}
