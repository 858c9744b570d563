import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { useWithdraw } from './queries.ts';

interface Props {
  runId: string;
  queued: readonly Schemas['AgentRunMessage'][];
  /** Sends a withdrawn message as a new request. Present once the run is over. */
  onSend?: ((text: string) => void) | undefined;
}

/** Messages that wait for the run's next step, or that arrived too late for it. */
export function Queued({ runId, queued, onSend }: Props) {
  const { t } = useTranslation();
  const withdraw = useWithdraw(runId);
  if (queued.length === 0) return null;
  return (
    <section aria-label={t('agent.queue.title')} className="mb-2 border-b border-line pb-2">
      <p role="status" className="px-2 text-xs text-muted">
        {t(onSend ? 'agent.queue.left' : 'agent.queue.waiting')}
      </p>
      <ul>
        {queued.map(({ id, text }) => (
          <li key={id} className="flex items-center gap-1 pl-2">
            <span data-user-content className="min-w-0 flex-1 truncate text-sm" title={text}>
              {text}
            </span>
            {onSend && (
              <Button
                look="quiet"
                disabled={withdraw.isPending}
                onClick={() => withdraw.mutate(id, { onSuccess: () => onSend(text) })}
              >
                {t('agent.queue.send')}
              </Button>
            )}
            <IconButton
              icon="close"
              label={t('agent.queue.withdraw')}
              disabled={withdraw.isPending}
              onClick={() => withdraw.mutate(id)}
            />
          </li>
        ))}
      </ul>
      <Problem error={withdraw.error} />
    </section>
  );
}
