import { useTranslation } from 'react-i18next';
import { Card } from '../parts/card.tsx';
import { formatAgo, formatTime } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { useLog } from './queries.ts';

/** The commits of the current branch, newest first. */
export function CommitLog({ workspaceId }: { workspaceId: string }) {
  const { t, i18n } = useTranslation();
  const log = useLog(workspaceId);
  return (
    <Card title={t('git.log')}>
      <Loaded query={log} rows={3} rowClass="h-10">
        {(commits) =>
          commits.length === 0 ? (
            <p className="text-sm text-muted">{t('git.noCommits')}</p>
          ) : (
            <ol className="divide-y divide-line">
              {commits.map(({ hash, author, createdAt, subject, body }) => (
                <li key={hash} className="py-2 text-sm">
                  <p data-user-content className="font-medium wrap-anywhere">
                    {subject}
                  </p>
                  {body !== '' && (
                    <p data-user-content className="mt-0.5 wrap-anywhere whitespace-pre-wrap text-muted">
                      {body}
                    </p>
                  )}
                  <p className="mt-0.5 text-xs text-muted">
                    <code>{hash.slice(0, 8)}</code> · <span data-user-content>{author}</span> ·{' '}
                    <time dateTime={createdAt} title={formatTime(createdAt, i18n.language)}>
                      {formatAgo(createdAt, i18n.language)}
                    </time>
                  </p>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      <MoreButton list={log} />
    </Card>
  );
}
