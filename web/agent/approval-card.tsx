import { useParams } from '@tanstack/react-router';
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rowOfTool } from '../../lib/api-contract/rule-table.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useMay } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Details } from '../parts/details.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { formatTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { useEffectWords, useRuleWords, useScopeWords } from './approval-words.ts';
import { LongRegion } from './long-region.tsx';
import { useDecide } from './queries.ts';
import { readRuleQuestions } from './rule-question.ts';
import { showUnseen } from './tool-text.ts';
import { ToolInput } from './tool-view.tsx';

/** Milliseconds; a key or click intended for the previous content doesn't count. */
const SETTLE_MS = 800;
/** The API's maximum, in characters. */
const MAX_REASON = 1000;
const MAX_PATTERN = 300;

interface Props {
  runId: string;
  approval: Schemas['Approval'];
}

/**
 * The run's question, with the exact arguments. It takes no focus when it appears, its buttons are enabled a moment
 * after it became visible, and approving takes two presses, so that no key pressed for something else approves a call.
 */
export function ApprovalCard({ runId, approval }: Props) {
  const { t, i18n } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const isSeen = useSeen(card);
  const { toolName, input, before } = approval;
  return (
    <article
      ref={card}
      aria-label={t('agent.approvalOf', { tool: toolName })}
      className="rounded-lg border-2 border-warn bg-surface p-4"
    >
      <Question approval={approval} />
      <ToolInput tool={toolName} input={input} before={before?.text} />
      {before && <Before before={before} />}
      <Exactly input={input} />
      <Reason approval={approval} />
      <p className="mt-1 text-xs text-muted">
        {t('agent.expires', { time: formatTime(approval.expiresAt, i18n.language) })}
      </p>
      <Answer runId={runId} approval={approval} isSeen={isSeen} />
    </article>
  );
}

/** The effect of the call in words; if that isn't known, the tool and the service's description of the call. */
function Question({ approval: { toolName, effects, summary, requiredBy } }: Pick<Props, 'approval'>) {
  const { t } = useTranslation();
  const words = useEffectWords(effects);
  const isByRule = requiredBy !== null || readRuleQuestions(summary).length > 0;
  return (
    <>
      <p role="status" className="mb-3 flex items-start gap-2 font-semibold">
        <span className="mt-0.5 text-warn">
          <Icon name="hand" size={18} />
        </span>
        <span data-user-content className="min-w-0 break-words">
          {words || t('agent.asks', { tool: toolName })}
        </span>
      </p>
      <p className="mt-2 mb-3 text-sm break-words whitespace-pre-wrap empty:hidden">
        {!isByRule && showUnseen(summary)}
      </p>
    </>
  );
}

/** Explains why a file's text isn't compared with the new text. */
function Before({ before: { state } }: { before: Schemas['FileBefore'] }) {
  const { t } = useTranslation();
  if (state === 'text' || state === 'absent') return null;
  return (
    <div className="mt-2">
      <Banner look={state === 'changed' ? 'warn' : 'calm'}>{t(`agent.before.${state}`)}</Banner>
    </div>
  );
}

/** The rules that require approval. Shown small, because the effect of the call counts more. */
function Reason({ approval: { requiredBy, summary } }: Pick<Props, 'approval'>) {
  const words = useRuleWords(requiredBy ?? summary);
  const text = words.length > 0 ? words.join('. ') : requiredBy;
  return text && <p className="mt-3 text-xs break-words text-muted">{showUnseen(text)}</p>;
}

/** The whole call as it will be approved, with all its arguments. */
function Exactly({ input }: Pick<Props['approval'], 'input'>) {
  const { t } = useTranslation();
  return (
    <Details name={t('agent.exactCall')}>
      <LongRegion
        label={t('agent.exactCall')}
        className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap"
      >
        {showUnseen(JSON.stringify(input, null, 2))}
      </LongRegion>
    </Details>
  );
}

/** Returns true once most of the element, or as much as fits into the window, has been visible for a moment. */
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

type Step = 'asked' | 'sure' | 'deny' | 'always';

function Answer({ runId, approval, isSeen }: Props & { isSeen: boolean }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const decide = useDecide(runId);
  const may = useMay('member', workspaceId);
  const [step, setStep] = useState<Step>('asked');
  if (!may) return null;
  const { id: approvalId, toolName, always } = approval;
  const isOff = !isSeen || decide.isPending || decide.isSuccess;
  const back = () => setStep('asked');
  return (
    <section
      aria-label={t('agent.decision')}
      className="mt-3 space-y-3 max-sm:sticky max-sm:bottom-0 max-sm:-mx-4 max-sm:-mb-4 max-sm:rounded-b-lg max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-4"
    >
      {changesFiles(toolName) && <p className="text-xs text-muted">{t('agent.canUndo')}</p>}
      <Problem error={decide.error} />
      {step === 'deny' && (
        <Denial
          isOff={isOff}
          onDeny={(reason) =>
            decide.mutate({ approvalId, approved: false, ...(reason !== '' && { reason }) })
          }
          onBack={back}
        />
      )}
      {step === 'always' && always !== null && (
        <Always
          approval={approval}
          isOff={isOff}
          onAllow={(pattern) => decide.mutate({ approvalId, approved: true, always: pattern })}
          onBack={back}
        />
      )}
      {(step === 'asked' || step === 'sure') && (
        <Choices
          step={step}
          always={always}
          isOff={isOff}
          onStep={setStep}
          onAllow={() => decide.mutate({ approvalId, approved: true })}
        />
      )}
      <p role="status" className="text-sm text-muted empty:sr-only">
        {step === 'asked' && t(isSeen ? 'agent.allowTwice' : 'agent.settling')}
        {step === 'sure' && t('agent.allowSureNote')}
      </p>
    </section>
  );
}

/** Returns whether the run stores the tool's changes for an undo. */
function changesFiles(toolName: string): boolean {
  const row = rowOfTool(toolName);
  return row === 'change' || row === 'run';
}

interface ChoicesProps {
  step: Step;
  always: string | null;
  isOff: boolean;
  onStep: (next: Step) => void;
  onAllow: () => void;
}

function Choices({ step, always, isOff, onStep, onAllow }: ChoicesProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-2">
      <TwoPresses
        isSure={step === 'sure'}
        disabled={isOff}
        first={t('agent.allow')}
        second={t('agent.allowSure')}
        onFirst={() => onStep('sure')}
        onSecond={onAllow}
      />
      <Button disabled={isOff} onClick={() => onStep('deny')}>
        {t('agent.deny')}
      </Button>
      {always !== null && (
        <Button
          look="quiet"
          disabled={isOff}
          className="max-w-full break-all"
          onClick={() => onStep('always')}
        >
          {t('agent.always', { pattern: showUnseen(always) })}
        </Button>
      )}
    </div>
  );
}

interface StepProps {
  isOff: boolean;
  onBack: () => void;
}

/** Asks for the reason for a denial, after the choice. The reason is for the model. */
function Denial({ isOff, onDeny, onBack }: StepProps & { onDeny: (reason: string) => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  return (
    <Form onSend={() => onDeny(reason.trim())} isWhole={!isOff} className="space-y-3">
      <Field label={t('agent.reason')} value={reason} maxLength={MAX_REASON} autoFocus onChange={setReason} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="danger" disabled={isOff}>
          {t('agent.deny')}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {t('parts.cancel')}
        </Button>
      </div>
    </Form>
  );
}

interface AlwaysProps extends StepProps, Pick<Props, 'approval'> {
  onAllow: (pattern: string) => void;
}

/** The pattern of the rule: exactly the call in question, until the person widens it. */
function Always({ approval: { toolName, always, wider }, isOff, onAllow, onBack }: AlwaysProps) {
  const { t } = useTranslation();
  const [pattern, setPattern] = useState(always ?? '');
  const isSettled = useSettled(true);
  const exact = showUnseen(pattern);
  const scope = useScopeWords(toolName, pattern);
  return (
    <div className="space-y-3">
      <Field
        label={t('agent.alwaysPattern', { tool: toolName })}
        hint={t('agent.alwaysNote')}
        value={pattern}
        maxLength={MAX_PATTERN}
        className="font-mono"
        onChange={setPattern}
      />
      {exact !== pattern && <p className="font-mono text-xs break-all">{exact}</p>}
      {pattern !== '' && (
        <p role="status" className="text-sm break-words">
          {scope}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {[always ?? '', ...wider].map((each) => (
          <Button
            key={each}
            look="quiet"
            aria-label={t('agent.alwaysFor', { pattern: showUnseen(each) })}
            aria-pressed={each === pattern}
            className="max-w-full font-mono break-all"
            onClick={() => setPattern(each)}
          >
            {showUnseen(each)}
          </Button>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          look="main"
          disabled={isOff || pattern === ''}
          aria-disabled={!isSettled}
          className="aria-disabled:opacity-50"
          onClick={({ detail }) => detail < 2 && isSettled && onAllow(pattern)}
        >
          {t('agent.alwaysSure')}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {t('parts.cancel')}
        </Button>
      </div>
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
 * One button for both presses, so that the focus stays. The second press counts a moment after the first, and never as
 * a double click.
 */
function TwoPresses({ isSure, disabled, first, second, onFirst, onSecond }: TwoPressesProps) {
  const isArmed = useSettled(isSure);
  const press = ({ detail }: MouseEvent) => {
    if (detail > 1) return;
    if (!isSure) onFirst();
    else if (isArmed) onSecond();
  };
  return (
    <Button
      look="main"
      disabled={disabled}
      aria-disabled={isSure && !isArmed}
      className="aria-disabled:opacity-50"
      onClick={press}
    >
      {isSure ? second : first}
    </Button>
  );
}

/** Returns true a moment after the condition became true. */
function useSettled(condition: boolean): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (!condition) return setSettled(false);
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [condition]);
  return isSettled;
}
