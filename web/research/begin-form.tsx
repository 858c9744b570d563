import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../chat/draft.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Details } from '../parts/details.tsx';
import { Field, INPUT } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { readAddresses } from './addresses.ts';
import { DepthChoice } from './depth-choice.tsx';
import { SOURCES, type SourceName, useBegin } from './queries.ts';
import type { Depth } from './research.ts';

const MAX_QUESTION = 2000;
const BOUNDS = { calls: 2000, tokens: 50_000_000, minutes: 720 } as const;
const LEAST = { calls: 1, tokens: 1000, minutes: 1 } as const;
type Bound = keyof typeof BOUNDS;
const BOUND_NAMES = Object.keys(BOUNDS) as Bound[];
const LANGUAGES = ['en', 'zh-CN', 'de', 'es', 'fr', 'ja', 'ko', 'pt', 'ru'];

/** What is typed is kept; what is chosen is chosen again. */
export function BeginForm({ workspaceId }: { workspaceId: string }) {
  const { t, i18n } = useTranslation();
  const health = useHealth();
  const begin = useBegin(workspaceId);
  const [question, setQuestion] = useDraft(`research ${workspaceId}`);
  const [pages, setPages] = useDraft(`research-pages ${workspaceId}`);
  const [depth, setDepth] = useState<Depth>('standard');
  const [sources, setSources] = useState<SourceName[]>(['files', 'datasets']);
  const [budget, setBudget] = useState<Partial<Record<Bound, number>>>({});
  const [language, setLanguage] = useState(i18n.language);
  const [approvePlan, setApprovePlan] = useState(false);
  const { addresses, wrong } = readAddresses(pages);
  const canBegin =
    question.trim() !== '' && sources.length > 0 && health.data?.aiAvailable !== false && !begin.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canBegin) return;
    const bounds = Object.keys(budget).length > 0 && { budget };
    const wish = { question: question.trim(), depth, sources, addresses, language, approvePlan, ...bounds };
    begin.mutate(wish, {
      onSuccess: () => {
        setQuestion('');
        setPages('');
      },
    });
  };
  return (
    <form onSubmit={submit} className="space-y-4 rounded-lg border border-line bg-surface p-4 shadow-raised">
      <textarea
        aria-label={t('research.question')}
        placeholder={t('research.question')}
        rows={3}
        maxLength={MAX_QUESTION}
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
        className="w-full resize-y bg-transparent text-base outline-none placeholder:text-muted"
      />
      <DepthChoice workspaceId={workspaceId} sources={sources} depth={depth} onChange={setDepth} />
      <SourceChoice sources={sources} onChange={setSources} />
      <Details name={t('research.more')}>
        <div className="space-y-4">
          <PageList text={pages} wrong={wrong} onChange={setPages} />
          <Bounds budget={budget} onChange={setBudget} />
          <LanguageChoice language={language} onChange={setLanguage} />
        </div>
      </Details>
      {begin.error && <Problem error={begin.error} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Check label={t('research.approvePlan')} checked={approvePlan} onChange={setApprovePlan} />
        <Button look="main" type="submit" disabled={!canBegin}>
          {t('research.begin')}
        </Button>
      </div>
    </form>
  );
}

interface CheckProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="inline-flex min-h-9 cursor-pointer items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}

interface SourceProps {
  sources: SourceName[];
  onChange: (sources: SourceName[]) => void;
}

function SourceChoice({ sources, onChange }: SourceProps) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend className="mb-1 text-sm text-muted">{t('research.sources')}</legend>
      <div className="flex flex-wrap gap-x-5">
        {SOURCES.map((name) => (
          <Check
            key={name}
            label={t(`research.source.${name}`)}
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

function PageList({
  text,
  wrong,
  onChange,
}: {
  text: string;
  wrong: string[];
  onChange: (text: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <label className="block space-y-1.5">
        <span className="text-sm font-medium">{t('research.addresses')}</span>
        <textarea
          rows={2}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          className={`${INPUT} resize-y py-2 font-mono`}
        />
      </label>
      {wrong.length > 0 && (
        <Banner look="warn">{t('research.wrongAddresses', { lines: wrong.slice(0, 5).join(' ') })}</Banner>
      )}
    </>
  );
}

function Bounds({
  budget,
  onChange,
}: {
  budget: Partial<Record<Bound, number>>;
  onChange: (budget: Partial<Record<Bound, number>>) => void;
}) {
  const { t } = useTranslation();
  const change = (name: Bound, value: number) => {
    const { [name]: _, ...others } = budget;
    onChange(Number.isNaN(value) ? others : { ...others, [name]: value });
  };
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm text-muted">{t('research.budget')}</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        {BOUND_NAMES.map((name) => (
          <Field
            key={name}
            label={t(`research.${name}`)}
            type="number"
            min={LEAST[name]}
            max={BOUNDS[name]}
            step={1}
            value={budget[name] ?? ''}
            onChange={({ target }) => change(name, target.valueAsNumber)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function LanguageChoice({ language, onChange }: { language: string; onChange: (language: string) => void }) {
  const { t, i18n } = useTranslation();
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  return (
    <label className="block space-y-1.5">
      <span className="text-sm font-medium">{t('research.language')}</span>
      <select value={language} onChange={({ target }) => onChange(target.value)} className={INPUT}>
        {LANGUAGES.map((each) => (
          <option key={each} value={each}>
            {names.of(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
