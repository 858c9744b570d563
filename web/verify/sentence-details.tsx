import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { type CheckedSentence, type DraftCheck, detailsId, stateOf } from './draft-check.ts';
import { FoundEvidence, Quotes, ReasonText } from './evidence.tsx';
import { useFindEvidence, useFoundRun, useSuggest } from './queries.ts';

interface Props {
  check: DraftCheck;
  sentence: CheckedSentence;
}

/** The reason for a sentence's verdict, its quotes, and what can be done about it. */
export function SentenceDetails({ check, sentence }: Props) {
  const { t } = useTranslation();
  const may = useMay('member', check.workspaceIds[0]);
  return (
    <section
      id={detailsId(sentence.n)}
      aria-label={t('verify.sentence', { n: sentence.n })}
      className="space-y-3 border-t border-line bg-sunken px-4 py-3 text-sm"
    >
      <ReasonText sentence={sentence} />
      <Quotes runId={check.runId} sentence={sentence} />
      {may && <Actions check={check} sentence={sentence} />}
    </section>
  );
}

function Actions({ check, sentence }: Props) {
  const { t } = useTranslation();
  const hasModel = useHealth().data?.aiAvailable === true;
  const find = useFindEvidence(check, sentence);
  const suggest = useSuggest(check.runId, sentence.n);
  const found = useFoundRun(check.runId, sentence.n);
  const canSuggest = hasModel && sentence.citations.length > 0 && stateOf(sentence) !== 'full';
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button
          icon="search"
          title={t('verify.findNote')}
          disabled={find.isPending}
          onClick={() => find.mutate(hasModel)}
        >
          {t('verify.find')}
        </Button>
        {canSuggest && (
          <Button icon="edit" disabled={suggest.isPending} onClick={() => suggest.mutate()}>
            {t('verify.suggest')}
          </Button>
        )}
      </div>
      <p role="status" className="text-muted empty:hidden">
        {suggest.isPending && t('verify.suggesting')}
      </p>
      <Problem error={find.error} />
      <Problem error={suggest.error} />
      {suggest.data && <Suggested text={suggest.data.sentence} />}
      {found !== undefined && <FoundEvidence runId={found} />}
    </>
  );
}

function Suggested({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="space-y-1.5 rounded-md border border-line bg-surface p-3">
      <div className="flex items-start justify-between gap-2">
        <h2 className="font-medium">{t('verify.suggested')}</h2>
        <CopyButton text={text} isBare />
      </div>
      <p data-user-content className="break-words">
        {text}
      </p>
      <p className="text-xs text-muted">{t('verify.suggestedNote')}</p>
    </div>
  );
}
