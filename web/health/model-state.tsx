import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.ts';
import { Badge } from '../parts/badge.tsx';
import { Problem } from '../parts/problem.tsx';
import { type Settings, useModels } from '../settings/queries.ts';

/** Not every server lists its models: that says nothing of the key. */
const LISTS_NOTHING = ['model_answer_unusable', 'model_not_found'];

/** Whether the default provider accepts the key now: it's asked for its models, which costs nothing. */
export function ModelState({ settings: { llmProvider } }: { settings: Settings }) {
  const { t } = useTranslation();
  const models = useModels(llmProvider ?? undefined);
  const { error } = models;
  if (models.isPending) return <Badge look="calm">{t('health.testing')}</Badge>;
  if (error instanceof ApiError && LISTS_NOTHING.includes(error.code ?? ''))
    return (
      <Badge look="calm" icon="info">
        {t('health.untested')}
      </Badge>
    );
  if (error !== null)
    return (
      <div className="space-y-2">
        <Badge look="warn" icon="warn">
          {t('health.failing')}
        </Badge>
        <Problem error={error} onRetry={() => models.refetch()} />
      </div>
    );
  return (
    <Badge look="good" icon="check">
      {t('health.works')}
    </Badge>
  );
}
