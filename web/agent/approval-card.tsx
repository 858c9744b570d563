import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { HALT } from '../chat/follow-end.ts';
import { Banner } from '../parts/banner.tsx';
import { Details } from '../parts/details.tsx';
import { formatTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { ApprovalAnswer } from './approval-answer.tsx';
import { useEffectWords, useRuleWords } from './approval-words.ts';
import { LongRegion } from './long-region.tsx';
import { readRuleQuestions } from './rule-question.ts';
import { showUnseen } from './tool-text.ts';
import { ToolInput } from './tool-view.tsx';
import { useSeen } from './use-seen.ts';

interface Props {
  runId: string;
  approval: Schemas['Approval'];
  /** True for the call that the keys answer. */
  isFirst: boolean;
  /** Called once the call has been visible for a moment. */
  onSeen: (approvalId: string) => void;
}

/**
 * The run's question, with the exact arguments. It doesn't take the focus when it appears. Its buttons and
 * keys work a moment after it became visible, and after it became the first one, so that no key pressed for
 * something else approves a call.
 */
export function ApprovalCard({ runId, approval, isFirst, onSeen }: Props) {
  const { t, i18n } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const isSeen = useSeen(card);
  useEffect(() => {
    if (isSeen) onSeen(approval.id);
  }, [isSeen, onSeen, approval.id]);
  const { toolName, input, before } = approval;
  return (
    <article
      ref={card}
      aria-label={t('agent.approvalOf', { tool: toolName })}
      aria-current={isFirst}
      {...(isFirst && { [HALT]: true })}
      className="rounded-lg border-2 border-line bg-surface p-4 aria-[current=true]:border-warn"
    >
      <Question approval={approval} />
      <ToolInput tool={toolName} input={input} before={before?.text} />
      {before && <Before before={before} />}
      <Exactly input={input} />
      <Reason approval={approval} />
      <p className="mt-1 text-xs text-muted">
        {t('agent.expires', { time: formatTime(approval.expiresAt, i18n.language) })}
      </p>
      <ApprovalAnswer runId={runId} approval={approval} isSeen={isSeen} isFirst={isFirst} card={card} />
    </article>
  );
}

/**
 * The effect of the call in words. If that isn't known, the tool and the service's description of the call.
 */
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

/** The rules that require approval. They are small, because the effect of the call matters more. */
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
