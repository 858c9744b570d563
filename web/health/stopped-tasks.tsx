import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, take } from '../api/client.ts';
import { Banner } from '../parts/banner.tsx';

const LISTED = 1000;

/** Lists the tasks that the service disabled because their owner has no rights left. */
export function StoppedTasks() {
  const { t } = useTranslation();
  const tasks = useQuery({
    queryKey: ['tasks', 'stopped'],
    queryFn: () => take(api.GET('/api/scheduled-tasks', { params: { query: { limit: LISTED } } })),
    select: (all) => all.filter(({ stoppedAt }) => stoppedAt),
  }).data;
  if (tasks === undefined || tasks.length === 0) return null;
  return (
    <Banner look="warn">
      <p>{t('health.stoppedTasks')}</p>
      <ul className="mt-1 list-disc pl-5">
        {tasks.map(({ id, name, workspaceId }) => (
          <li key={id} data-user-content>
            {workspaceId === null ? (
              name
            ) : (
              <Link
                to="/w/$workspaceId/tasks/$taskId"
                params={{ workspaceId, taskId: id }}
                className="underline"
              >
                {name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
