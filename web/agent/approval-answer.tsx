import { useParams } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rowOfTool } from '../../lib/api-contract/rule-table.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { isOutsideText } from '../parts/is-outside-text.ts';
import { isKey } from '../parts/pressed-key.ts';
import { Problem } from '../parts/problem.tsx';
import { AnswerButton, type AnswerKey } from './answer-button.tsx';
import { useScopeWords } from './approval-words.ts';
import { type Decision, useDecide } from './queries.ts';
import { showUnseen } from './tool-text.ts';
import { useSettled } from './use-seen.ts';

/** The API's maximum, in characters. */
const MAX_REASON = 1000;
const MAX_PATTERN = 300;

interface Props {
  runId: string;
  approval: Schemas['Approval'];
  isSeen: boolean;
  isFirst: boolean;
  card: RefObject<HTMLElement | null>;
}

type Step = 'asked' | 'deny' | 'always';

/** The answer to one call, by a click, or by a key for the first call that waits. */
export function ApprovalAnswer({ runId, approval, isSeen, isFirst, card }: Props) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const decide = useDecide(runId);
  const may = useMay('member', workspaceId);
  const [step, setStep] = useState<Step>('asked');
  const why = useWhyOff(decide.isPending || decide.isSuccess, { isSeen, isFirst });
  const send: Send = (answer) => decide.mutate({ approvalId: approval.id, ...answer });
  const answers = answersTo(approval, send, () => setStep('deny'));
  useAnswerKeys(card, isFirst && may && step === 'asked' ? answers : {}, why === undefined);
  if (!may) return <p className="mt-3 text-sm text-muted">{t('agent.onlyMembers')}</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form is sent, and several landmarks would have one name
    <div
      role="group"
      aria-label={t('agent.decision')}
      className="mt-3 space-y-3 max-sm:sticky max-sm:bottom-0 max-sm:-mx-4 max-sm:-mb-4 max-sm:rounded-b-lg max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-4"
    >
      {changesFiles(approval.toolName) && <p className="text-xs text-muted">{t('agent.canUndo')}</p>}
      <Problem error={decide.error} />
      {step === 'asked' ? (
        <Choices {...{ approval, answers, why }} hasKeys={isFirst} onOther={() => setStep('always')} />
      ) : (
        <Further {...{ step, approval, why, send }} onBack={() => setStep('asked')} />
      )}
      <p role="status" className="text-sm text-muted empty:sr-only">
        {why}
      </p>
    </div>
  );
}

type Send = (answer: Omit<Decision, 'approvalId'>) => void;

/**
 * Returns why no answer is possible now; undefined if one is. The person must first look at a call that has
 * just become the first.
 */
function useWhyOff(isSent: boolean, { isSeen, isFirst }: Pick<Props, 'isSeen' | 'isFirst'>) {
  const { t } = useTranslation();
  const isSettled = useSettled(isFirst);
  if (isSent) return t('agent.answering');
  return isSeen && (isSettled || !isFirst) ? undefined : t('agent.settling');
}

/** Returns the answers by one click or key. Without a pattern, the call can only be allowed once. */
function answersTo({ always }: Props['approval'], send: Send, onDeny: () => void): Answers {
  const once = { allow: () => send({ approved: true }), deny: onDeny };
  if (always === null) return once;
  return {
    ...once,
    allowRun: () => send({ approved: true, scope: 'run', always }),
    allowAlways: () => send({ approved: true, scope: 'always', always }),
  };
}

interface FurtherProps extends StepProps, Pick<Props, 'approval'> {
  step: Step;
  send: Send;
}

/** The answers that need a text: the reason of a denial, or another pattern. */
function Further({ step, approval, send, ...rest }: FurtherProps) {
  if (step === 'always')
    return (
      <Always
        {...rest}
        approval={approval}
        onAllow={(pattern) => send({ approved: true, scope: 'always', always: pattern })}
      />
    );
  return (
    <Denial {...rest} onDeny={(reason) => send({ approved: false, ...(reason !== '' && { reason }) })} />
  );
}

/** Returns whether the run stores the tool's changes for an undo. */
function changesFiles(toolName: string): boolean {
  const row = rowOfTool(toolName);
  return row === 'change' || row === 'run';
}

type Answers = Partial<Record<AnswerKey, () => void>>;

/**
 * Gives the answers their keys. A held key counts once. A call that isn't visible is scrolled into view
 * first, so that a key never answers a call that the person doesn't see.
 */
function useAnswerKeys(card: Props['card'], answers: Answers, isOn: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const name = (Object.keys(answers) as AnswerKey[]).find((each) => isKey(each, event));
      if (name === undefined || event.repeat || !isOutsideText(event)) return;
      event.preventDefault();
      if (!isVisible(card.current)) card.current?.scrollIntoView({ block: 'nearest' });
      else if (isOn) answers[name]?.();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

function isVisible(card: HTMLElement | null): boolean {
  const { top = 0, bottom = 0 } = card?.getBoundingClientRect() ?? {};
  return top < innerHeight && bottom > 0;
}

interface ChoicesProps extends Pick<Props, 'approval'> {
  answers: Answers;
  hasKeys: boolean;
  why: string | undefined;
  onOther: () => void;
}

function Choices({ approval: { toolName, always }, answers, hasKeys, why, onOther }: ChoicesProps) {
  const { t } = useTranslation();
  const button = { hasKeys, why, answers };
  return (
    <>
      {always === null ? (
        <p className="text-xs text-muted">{t('agent.onlyOnce')}</p>
      ) : (
        <Pattern toolName={toolName} pattern={always} />
      )}
      <div className="flex flex-wrap gap-2">
        <AnswerButton {...button} name="allow" look="main">
          {t('agent.allow')}
        </AnswerButton>
        <AnswerButton {...button} name="allowRun">
          {t('agent.allowRun')}
        </AnswerButton>
        <AnswerButton {...button} name="allowAlways">
          {t('agent.alwaysSure')}
        </AnswerButton>
        <AnswerButton {...button} name="deny">
          {t('agent.deny')}
        </AnswerButton>
        {always !== null && (
          <Button look="quiet" disabled={why !== undefined} title={why} onClick={onOther}>
            {t('agent.otherPattern')}
          </Button>
        )}
      </div>
    </>
  );
}

/** Shows what the answers for this run, and for always, would allow. */
function Pattern({ toolName, pattern }: { toolName: string; pattern: string }) {
  const { t } = useTranslation();
  const scope = useScopeWords(toolName, pattern);
  return (
    <p className="text-xs break-words text-muted">
      {t('agent.patternFor')} <code className="font-mono break-all text-ink">{showUnseen(pattern)}</code>.{' '}
      {scope}
    </p>
  );
}

interface StepProps {
  /** Why the buttons are disabled; undefined if they aren't. */
  why: string | undefined;
  onBack: () => void;
}

/** Asks for the reason after a denial was chosen. The model reads the reason. */
function Denial({ why, onDeny, onBack }: StepProps & { onDeny: (reason: string) => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  return (
    <Form onSend={() => onDeny(reason.trim())} isWhole={why === undefined} className="space-y-3">
      <Field
        label={t('agent.reason')}
        value={reason}
        maxLength={MAX_REASON}
        autoFocus
        onChange={setReason}
        onKeyDown={(event) => isKey('close', event) && onBack()}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="danger" disabled={why !== undefined} title={why}>
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

/** The pattern of the rule. It matches exactly this call, until the person widens it. */
function Always({ approval: { toolName, always, wider }, why, onAllow, onBack }: AlwaysProps) {
  const { t } = useTranslation();
  const [pattern, setPattern] = useState(always ?? '');
  const isSettled = useSettled(true);
  const reason = why ?? (pattern === '' ? t('agent.noPattern') : isSettled ? undefined : t('agent.settling'));
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
          disabled={reason !== undefined}
          title={reason}
          onClick={({ detail }) => detail < 2 && onAllow(pattern)}
        >
          {t('agent.alwaysSure')}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {t('parts.cancel')}
        </Button>
      </div>
      <p className="text-sm text-muted empty:hidden">{pattern === '' && reason}</p>
    </div>
  );
}
