import { useParams } from '@tanstack/react-router';
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { Details } from '../parts/details.tsx';
import { Field } from '../parts/field.tsx';
import { formatTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { LongRegion } from './long-region.tsx';
import { useDecide } from './queries.ts';
import { readRuleQuestions } from './rule-question.ts';
import { showUnseen } from './tool-text.ts';
import { ToolInput } from './tool-view.tsx';

/** A key or a click that was meant for what was shown before does not count. */
const SETTLE_MS = 800;
/** The most that the API takes. */
const MAX_REASON = 1000;

interface Props {
  runId: string;
  approval: Schemas['Approval'];
}

/**
 * The run's question, with the exact arguments. It takes no focus when it appears, its buttons are enabled a moment after it
 * was in sight, and to approve takes two presses: no key that was pressed for something else approves.
 */
export function ApprovalCard({ runId, approval }: Props) {
  const { t, i18n } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const isSeen = useSeen(card);
  return (
    <article
      ref={card}
      aria-label={t('agent.approvalOf', { tool: approval.toolName })}
      className="rounded-lg border-2 border-warn bg-surface p-4"
    >
      <p role="status" className="flex items-center gap-2 text-sm font-semibold text-warn">
        <Icon name="hand" size={18} />
        {t('agent.asks', { tool: approval.toolName })}
      </p>
      <Question summary={approval.summary} />
      <ToolInput tool={approval.toolName} input={approval.input} />
      <Exactly input={approval.input} />
      <Answer runId={runId} approval={approval} isSeen={isSeen} />
      <p className="mt-2 text-xs text-muted">
        {t('agent.expires', { time: formatTime(approval.expiresAt, i18n.language) })}
      </p>
    </article>
  );
}

/** The question, in the reader's language if a rule asks, otherwise in the service's words for the call. */
function Question({ summary }: Pick<Props['approval'], 'summary'>) {
  const { t } = useTranslation();
  const asked = readRuleQuestions(summary).map(({ rule, what }) => t('agent.ruleAsks', { rule, what }));
  return (
    <p className="mt-2 mb-3 text-sm break-words whitespace-pre-wrap">
      {showUnseen(asked.length > 0 ? asked.join('\n') : summary)}
    </p>
  );
}

/** The whole call, as it is approved: all of its arguments. */
function Exactly({ input }: Pick<Props['approval'], 'input'>) {
  const { t } = useTranslation();
  return (
    <Details name={t('agent.allArguments')}>
      <LongRegion
        label={t('agent.allArguments')}
        className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap"
      >
        {showUnseen(JSON.stringify(input, null, 2))}
      </LongRegion>
    </Details>
  );
}

/** True from when most of it, or as much as the window holds, has been in sight for a moment. */
function useSeen(of: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const card = of.current;
    if (card === null || isSeen) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watching = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (entry?.isIntersecting) timer = setTimeout(() => setSeen(true), SETTLE_MS);
      },
      { threshold: 0.25 },
    );
    watching.observe(card);
    return () => {
      watching.disconnect();
      clearTimeout(timer);
    };
  }, [of, isSeen]);
  return isSeen;
}

type Step = 'asked' | 'sure' | 'always';

function Answer({ runId, approval, isSeen }: Props & { isSeen: boolean }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const decide = useDecide(runId);
  const may = useMay('member', workspaceId);
  const [step, setStep] = useState<Step>('asked');
  const [reason, setReason] = useState('');
  if (!may) return null;
  const { id: approvalId, always } = approval;
  const isOff = !isSeen || decide.isPending || decide.isSuccess;
  const refuse = () => {
    const why = reason.trim();
    decide.mutate({ approvalId, approved: false, ...(why !== '' && { reason: why }) });
  };
  const allow = () => decide.mutate({ approvalId, approved: true });
  const allowAlways = () => always !== null && decide.mutate({ approvalId, approved: true, always });
  return (
    <div className="mt-3 space-y-3">
      <Problem error={decide.error} />
      <Field label={t('agent.reason')} value={reason} maxLength={MAX_REASON} onChange={setReason} />
      <div className="flex flex-wrap gap-2">
        <Button disabled={isOff} onClick={refuse}>
          {t('agent.deny')}
        </Button>
        <TwoPresses
          isSure={step === 'sure'}
          disabled={isOff}
          first={t('agent.allow')}
          second={t('agent.allowSure')}
          onFirst={() => setStep('sure')}
          onSecond={allow}
        />
        {always !== null && (
          <TwoPresses
            isSure={step === 'always'}
            disabled={isOff}
            first={t('agent.always', { pattern: showUnseen(always) })}
            second={t('agent.alwaysSure')}
            onFirst={() => setStep('always')}
            onSecond={allowAlways}
          />
        )}
      </div>
      {step === 'always' && <p className="text-xs text-muted">{t('agent.alwaysNote')}</p>}
    </div>
  );
}

interface TwoPressesProps {
  isSure: boolean;
  disabled: boolean;
  first: string;
  second: string;
  onFirst: () => void;
  onSecond: () => void;
}

/**
 * Uses one button for both presses, so that the focus stays; the second press counts a moment after the first, and never
 * as a double click.
 */
function TwoPresses({ isSure, disabled, first, second, onFirst, onSecond }: TwoPressesProps) {
  const [isArmed, setArmed] = useState(false);
  useEffect(() => {
    if (!isSure) return setArmed(false);
    const timer = setTimeout(() => setArmed(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isSure]);
  const press = ({ detail }: MouseEvent) => {
    if (detail > 1) return;
    if (!isSure) onFirst();
    else if (isArmed) onSecond();
  };
  return (
    <Button
      look={isSure ? 'danger' : 'plain'}
      disabled={disabled}
      aria-disabled={isSure && !isArmed}
      className="max-w-full break-all aria-disabled:opacity-50"
      onClick={press}
    >
      {isSure ? second : first}
    </Button>
  );
}
