import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Problem } from '../parts/problem.tsx';
import * as edit from './plan-edit.ts';
import { PlanList } from './plan-list.tsx';
import { PlanQuestions } from './plan-questions.tsx';
import { useAnswerPlan } from './queries.ts';
import type { Research } from './research.ts';

interface Props {
  workspaceId: string;
  runId: string;
  plan: NonNullable<Research['plan']>;
}

/** The questions of a report, for a person to edit. */
export function PlanEditor({ expiresAt, ...props }: Props & { expiresAt: string }) {
  const { t, i18n } = useTranslation();
  const may = useMay('member', props.workspaceId);
  const until = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'short', timeStyle: 'short' });
  return (
    <Card title={t('research.planTitle')}>
      {may ? <AnswerPlan {...props} /> : <PlanList plan={props.plan} />}
      <p className="mt-3 text-xs text-muted">
        {t('research.planExpires', { time: until.format(new Date(expiresAt)) })}
      </p>
    </Card>
  );
}

/** The answer to a plan. Edits survive a reload. */
function AnswerPlan({ runId, plan }: Props) {
  const { t } = useTranslation();
  const answer = useAnswerPlan(runId);
  const { draft, change, drop } = useFormDraft(`plan ${runId}`, { questions: edit.draftOf(plan) });
  const { questions } = draft;
  const setQuestions = (next: edit.DraftQuestion[]) => change({ questions: next });
  const [isRefusing, setRefusing] = useState(false);
  const wanted = edit.answerOf(plan, questions);
  const isOff = answer.isPending || answer.isSuccess;
  return (
    <>
      <p className="mb-3 text-sm text-muted">{t('research.planNote')}</p>
      <PlanQuestions questions={questions} onChange={setQuestions} />
      <Problem error={answer.error} />
      <div className="mt-4 flex flex-wrap justify-between gap-2">
        <Button
          icon="plus"
          disabled={questions.length >= edit.MAX_QUESTIONS}
          onClick={() => setQuestions(edit.add(questions))}
        >
          {t('research.add')}
        </Button>
        <span className="flex gap-2">
          <Button disabled={isOff} onClick={() => setRefusing(true)}>
            {t('research.deny')}
          </Button>
          <Button
            look="main"
            disabled={isOff || wanted === undefined}
            onClick={() => wanted && answer.mutate(wanted, { onSuccess: drop })}
          >
            {t('research.approve')}
          </Button>
        </span>
      </div>
      {isRefusing && <RefusePlan answer={answer} onClose={() => setRefusing(false)} />}
    </>
  );
}

interface RefuseProps {
  answer: ReturnType<typeof useAnswerPlan>;
  onClose: () => void;
}

function RefusePlan({ answer, onClose }: RefuseProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('research.denyTitle')}
      note={t('research.denyNote')}
      action={t('research.deny')}
      doing={answer}
      onConfirm={() => answer.mutate({ approved: false }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
