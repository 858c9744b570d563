import { useTranslation } from 'react-i18next';
import { WEB_SEARCH_NAMES } from '../../lib/api-contract/web-search-providers.ts';
import { AlsoSearchField } from '../chat/also-search.tsx';
import { Button } from '../parts/button.tsx';
import { Details } from '../parts/details.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { CheckField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { useWorkspaceSettings } from '../workspaces/queries.ts';
import { DepthChoice } from './depth-choice.tsx';
import { FurtherWishes } from './further-wishes.tsx';
import { useBegin } from './queries.ts';
import { emptyDraft, SOURCES, type SourceName, wishOf } from './start-draft.ts';

const MAX_QUESTION = 2000;

export function StartForm({ workspaceId }: { workspaceId: string }) {
  const { t, i18n } = useTranslation();
  const health = useHealth();
  const begin = useBegin(workspaceId);
  const { draft, change, drop } = useFormDraft(`new report ${workspaceId}`, emptyDraft(i18n.language));
  const { question, isFromAnswer, depth, sources, approvePlan } = draft;
  const canBegin =
    question.trim() !== '' && sources.length > 0 && health.data?.aiAvailable !== false && !begin.isPending;
  // Not onSuccess, which isn't called once the report has opened and the form is unmounted.
  const submit = () => void begin.mutateAsync(wishOf(draft)).then(drop, () => {});
  return (
    <Form
      onSend={submit}
      sending={begin}
      isWhole={canBegin}
      className="space-y-4 rounded-lg border border-line bg-surface p-4 shadow-raised"
    >
      <textarea
        aria-label={t('research.question')}
        placeholder={t('research.question')}
        rows={3}
        maxLength={MAX_QUESTION}
        value={question}
        onChange={({ target }) => change({ question: target.value })}
        className="w-full resize-y bg-transparent text-base outline-none placeholder:text-muted"
      />
      {isFromAnswer && question !== '' && <p className="text-sm text-muted">{t('research.fromAnswer')}</p>}
      <DepthChoice
        workspaceId={workspaceId}
        sources={sources}
        depth={depth}
        onChange={(next) => change({ depth: next })}
      />
      <AlsoSearchField
        workspaceId={workspaceId}
        others={draft.others}
        onChange={(others) => change({ others })}
      />
      <SourceChoice
        workspaceId={workspaceId}
        sources={sources}
        onChange={(next) => change({ sources: next })}
      />
      <Details name={t('research.more')}>
        <FurtherWishes draft={draft} onChange={change} />
      </Details>
      <Problem error={begin.error} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CheckField
          label={t('research.approvePlan')}
          checked={approvePlan}
          onChange={(next) => change({ approvePlan: next })}
        />
        <Button look="main" type="submit" disabled={!canBegin}>
          {t('research.begin')}
        </Button>
      </div>
    </Form>
  );
}

interface SourceProps {
  workspaceId: string;
  sources: SourceName[];
  onChange: (sources: SourceName[]) => void;
}

function SourceChoice({ workspaceId, sources, onChange }: SourceProps) {
  const { t } = useTranslation();
  const provider = useWorkspaceSettings(workspaceId).data?.webSearch;
  const offered = SOURCES.filter((name) => name !== 'web' || provider || sources.includes(name));
  return (
    <fieldset>
      <legend className="mb-1 text-sm text-muted">{t('research.sources')}</legend>
      <div className="flex flex-wrap gap-x-5">
        {offered.map((name) => (
          <CheckField
            key={name}
            label={t(`research.source.${name}`, { name: provider ? WEB_SEARCH_NAMES[provider] : '' })}
            checked={sources.includes(name)}
            onChange={(checked) =>
              onChange(SOURCES.filter((each) => (each === name ? checked : sources.includes(each))))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
