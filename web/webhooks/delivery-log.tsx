import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { useDeliveries } from './queries.ts';

const LOOKS = { waiting: 'accent', delivered: 'good', failed: 'danger', dropped: 'calm' } as const;

/** The latest deliveries of a webhook, each with its latest attempt. */
export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const { t, i18n } = useTranslation();
  const log = useDeliveries(webhookId);
  return (
    <Loaded query={log} rows={2} empty={<p className="text-sm text-muted">{t('webhooks.noDeliveries')}</p>}>
      {(deliveries) => (
        <>
          <DataTable
            label={t('webhooks.log')}
            rows={deliveries}
            keyOf={({ id }) => id}
            columns={[
              {
                name: t('webhooks.when'),
                cell: ({ createdAt }) => (
                  <span className="whitespace-nowrap">{formatTime(createdAt, i18n.language)}</span>
                ),
              },
              { name: t('webhooks.event'), cell: ({ type }) => <code>{type}</code> },
              {
                name: t('webhooks.state'),
                cell: ({ state }) => (
                  <Badge look={LOOKS[state]}>{t(`webhooks.deliveryStates.${state}`)}</Badge>
                ),
              },
              { name: t('webhooks.attempts'), isNumber: true, cell: ({ attempts }) => attempts },
              {
                name: t('webhooks.problem'),
                isLong: true,
                cell: ({ error, nextAt }) => (
                  <>
                    {error !== null && <ServiceText text={error} />}
                    {error !== null && nextAt !== null && (
                      <span className="block text-xs text-muted">
                        {t('webhooks.next', { time: formatTime(nextAt, i18n.language) })}
                      </span>
                    )}
                  </>
                ),
              },
            ]}
          />
          <Button look="quiet" icon="again" className="mt-2" onClick={() => void log.refetch()}>
            {t('webhooks.refresh')}
          </Button>
        </>
      )}
    </Loaded>
  );
}
