import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../api/schema.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useDecide } from './queries.ts';

/** A key or a click that was meant for what stood there before does not count. */
const SETTLE_MS = 800;

interface Props {
  runId: string;
  approval: Schemas['Approval'];
}

/**
 * What the run asks, with the exact arguments. It takes no focus when it comes, its buttons wake a moment after, and to allow takes
 * two presses: nobody says yes by a key that was on its way.
 */
export function ApprovalCard({ runId, approval }: Props) {
  const { t, i18n } = useTranslation();
  const until = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'short', timeStyle: 'short' });
  return (
    <article
      aria-label={t('agent.approvalOf', { tool: approval.toolName })}
      className="rounded-lg border-2 border-warn bg-surface p-4"
    >
      <p role="status" className="flex items-center gap-2 text-sm font-semibold text-warn">
        <Icon name="hand" size={18} />
        {t('agent.asks', { tool: approval.toolName })}
      </p>
      <p className="mt-2 text-sm break-words">{approval.summary}</p>
      <ScrollRegion
        label={t('agent.arguments')}
        className="mt-3 max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap"
      >
        {JSON.stringify(approval.input, null, 2)}
      </ScrollRegion>
      <Answer runId={runId} approvalId={approval.id} />
      <p className="mt-2 text-xs text-muted">
        {t('agent.expires', { time: until.format(new Date(approval.expiresAt)) })}
      </p>
    </article>
  );
}

function Answer({ runId, approvalId }: { runId: string; approvalId: string }) {
  const { t } = useTranslation();
  const decide = useDecide(runId);
  const [step, setStep] = useState<'settling' | 'asked' | 'sure'>('settling');
  useEffect(() => {
    const timer = setTimeout(() => setStep('asked'), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const isOff = step === 'settling' || decide.isPending || decide.isSuccess;
  return (
    <div className="mt-3 space-y-3">
      {decide.error && <Problem error={decide.error} />}
      <div className="flex flex-wrap gap-2">
        <Button disabled={isOff} onClick={() => decide.mutate({ approvalId, approved: false })}>
          {t('agent.refuse')}
        </Button>
        {step === 'sure' ? (
          <Button
            look="danger"
            disabled={isOff}
            onClick={() => decide.mutate({ approvalId, approved: true })}
          >
            {t('agent.allowSure')}
          </Button>
        ) : (
          <Button disabled={isOff} onClick={({ detail }) => detail < 2 && setStep('sure')}>
            {t('agent.allow')}
          </Button>
        )}
      </div>
    </div>
  );
}
