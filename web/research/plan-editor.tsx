import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { INPUT } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import * as edit from './plan-edit.ts';
import { PlanList } from './plan-list.tsx';
import { useAnswerPlan } from './queries.ts';
import type { Research } from './research.ts';

interface Props {
  workspaceId: string;
  runId: string;
  plan: NonNullable<Research['plan']>;
  expiresAt: string;
}

/** What a report will answer, as a person wants it. What is changed is kept over a reload. */
export function PlanEditor({ workspaceId, runId, plan, expiresAt }: Props) {
  const { t, i18n } = useTranslation();
  const may = useMay('member', workspaceId);
  const answer = useAnswerPlan(runId);
  const [questions, change] = useKeptQuestions(runId, plan);
  const [isRefusing, setRefusing] = useState(false);
  const until = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'short', timeStyle: 'short' });
  const wanted = edit.answerOf(plan, questions);
  const isOff = answer.isPending || answer.isSuccess;
  return (
    <Card title={t('research.planTitle')}>
      {!may && <PlanList plan={plan} />}
      {may && (
        <>
          <p className="mb-3 text-sm text-muted">{t('research.planNote')}</p>
          <Questions questions={questions} onChange={change} />
          {answer.error && <Problem error={answer.error} />}
          <div className="mt-4 flex flex-wrap justify-between gap-2">
            <Button
              icon="plus"
              disabled={questions.length >= edit.MAX_QUESTIONS}
              onClick={() => change(edit.add(questions))}
            >
              {t('research.add')}
            </Button>
            <span className="flex gap-2">
              <Button disabled={isOff} onClick={() => setRefusing(true)}>
                {t('research.refuse')}
              </Button>
              <Button
                look="main"
                disabled={isOff || wanted === undefined}
                onClick={() => wanted && answer.mutate(wanted)}
              >
                {t('research.approve')}
              </Button>
            </span>
          </div>
        </>
      )}
      <p className="mt-3 text-xs text-muted">
        {t('research.planExpires', { time: until.format(new Date(expiresAt)) })}
      </p>
      {isRefusing && (
        <ConfirmDialog
          title={t('research.refuseTitle')}
          note={t('research.refuseNote')}
          action={t('research.refuse')}
          doing={answer}
          onConfirm={() => answer.mutate({ approved: false }, { onSuccess: () => setRefusing(false) })}
          onClose={() => setRefusing(false)}
        />
      )}
    </Card>
  );
}

function useKeptQuestions(runId: string, plan: Props['plan']) {
  const key = `plan ${runId}`;
  const [questions, setQuestions] = useState<edit.DraftQuestion[]>(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? edit.draftOf(plan) : JSON.parse(kept);
  });
  const change = (next: edit.DraftQuestion[]) => {
    setQuestions(next);
    sessionStorage.setItem(key, JSON.stringify(next));
  };
  return [questions, change] as const;
}

interface QuestionsProps {
  questions: edit.DraftQuestion[];
  onChange: (questions: edit.DraftQuestion[]) => void;
}

/** A question that goes up or down takes the focus of its button with it: its row is the same element in another place. */
function Questions({ questions, onChange }: QuestionsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const move = (at: number, by: -1 | 1) => {
    const focused = document.activeElement as HTMLElement | null;
    onChange(edit.move(questions, at, by));
    requestAnimationFrame(() => focused?.focus());
  };
  return (
    <ol ref={list} className="space-y-2">
      {questions.map(({ key, question, answeredBy }, at) => (
        <li key={key} className="flex items-start gap-1">
          <span className="w-6 pt-2.5 text-right text-sm text-muted tabular-nums">{at + 1}</span>
          <div className="min-w-0 flex-1 px-1">
            <textarea
              aria-label={t('research.questionOf', { number: at + 1 })}
              rows={2}
              maxLength={edit.MAX_QUESTION}
              value={question}
              onChange={({ target }) => onChange(edit.rewrite(questions, at, target.value))}
              className={`${INPUT} resize-y py-2`}
            />
            {answeredBy && (
              <p className="text-xs break-words text-muted">
                {t('research.answeredBy', { what: answeredBy })}
              </p>
            )}
          </div>
          <div className="flex flex-col sm:flex-row">
            <IconButton
              icon="up"
              label={t('research.up', { number: at + 1 })}
              disabled={at === 0}
              onClick={() => move(at, -1)}
            />
            <IconButton
              icon="down"
              label={t('research.down', { number: at + 1 })}
              disabled={at === questions.length - 1}
              onClick={() => move(at, 1)}
            />
            <IconButton
              icon="trash"
              label={t('research.remove', { number: at + 1 })}
              onClick={() => onChange(questions.toSpliced(at, 1))}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}
