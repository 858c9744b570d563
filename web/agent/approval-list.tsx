import { useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { useEffectWords } from './approval-words.ts';
import { useDecideAll } from './queries.ts';

interface Props {
  runId: string;
  approvals: Schemas['Approval'][];
}

/** The calls that wait, in the order in which keys answer them, and one answer for all of them. */
export function ApprovalList({ runId, approvals }: Props) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const onSeen = useCallback((id: string) => setSeen((before) => new Set([...before, id])), []);
  return (
    <>
      {approvals.map((approval, at) => (
        <ApprovalCard
          key={approval.id}
          runId={runId}
          approval={approval}
          isFirst={at === 0}
          onSeen={onSeen}
        />
      ))}
      {approvals.length > 1 && <AnswerAll runId={runId} approvals={approvals} seen={seen} />}
    </>
  );
}

/** Answers all calls at once. The person has seen each of them in full above. */
function AnswerAll({ runId, approvals, seen }: Props & { seen: ReadonlySet<string> }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const decide = useDecideAll(runId);
  const may = useMay('member', workspaceId);
  if (!may) return null;
  const count = approvals.length;
  const unseen = approvals.filter(({ id }) => !seen.has(id)).length;
  const why = decide.isPending
    ? t('agent.answering')
    : unseen > 0
      ? t('agent.lookAtAll', { count: unseen })
      : undefined;
  const answer = (approved: boolean) => decide.mutate({ ids: approvals.map(({ id }) => id), approved });
  return (
    <section aria-label={t('agent.allCalls')} className="space-y-3 rounded-lg border border-line p-4">
      <h2 className="text-sm font-semibold">{t('agent.allWait', { count })}</h2>
      <ol className="list-decimal space-y-1 pl-5 text-sm">
        {approvals.map((approval) => (
          <li key={approval.id} data-user-content className="break-words">
            <CallWords approval={approval} />
          </li>
        ))}
      </ol>
      <Problem error={decide.error} />
      <div className="flex flex-wrap gap-2">
        <Button disabled={why !== undefined} title={why} onClick={({ detail }) => detail < 2 && answer(true)}>
          {t('agent.allowAll', { count })}
        </Button>
        <Button
          look="danger"
          disabled={why !== undefined}
          title={why}
          onClick={({ detail }) => detail < 2 && answer(false)}
        >
          {t('agent.denyAll', { count })}
        </Button>
      </div>
      <p role="status" className="text-sm text-muted empty:sr-only">
        {why}
      </p>
    </section>
  );
}

function CallWords({ approval: { effects, toolName } }: { approval: Schemas['Approval'] }) {
  const { t } = useTranslation();
  return useEffectWords(effects) || t('agent.asks', { tool: toolName });
}
