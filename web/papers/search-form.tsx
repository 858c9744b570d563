import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PAPER_SOURCES, type PaperSource } from '../../lib/api-contract/paper-sources.ts';
import { CheckField, Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type PaperSearch, sourcesOf } from './queries.ts';

/**
 * A search form. It searches when it's submitted, rather than while the person types, because the sources
 * limit requests.
 */
export function SearchForm({ search }: { search: PaperSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/w/$workspaceId/papers' });
  const [words, setWords] = useState(search.q ?? '');
  const [days, setDays] = useState({ from: search.from ?? '', to: search.to ?? '' });
  const [sources, setSources] = useState(sourcesOf(search));
  const send = () => {
    const all = sources.length === PAPER_SOURCES.length;
    void navigate({
      search: {
        q: words.trim(),
        from: days.from || undefined,
        to: days.to || undefined,
        sources: all ? undefined : sources.join(','),
      },
    });
  };
  return (
    <Form
      onSend={send}
      isWhole={words.trim() !== '' && sources.length > 0}
      action={t('papers.search')}
      icon="search"
      className="space-y-4 rounded-lg border border-line bg-surface p-4"
    >
      <Field
        label={t('papers.words')}
        hint={t('papers.wordsHint')}
        type="search"
        required
        maxLength={500}
        value={words}
        onChange={setWords}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {(['from', 'to'] as const).map((end) => (
          <Field
            key={end}
            label={t(`papers.${end}`)}
            type="date"
            value={days[end]}
            onChange={(value) => setDays({ ...days, [end]: value })}
          />
        ))}
      </div>
      <Sources chosen={sources} onChange={setSources} />
    </Form>
  );
}

interface SourcesProps {
  chosen: PaperSource[];
  onChange: (chosen: PaperSource[]) => void;
}

function Sources({ chosen, onChange }: SourcesProps) {
  const { t } = useTranslation();
  const put = (source: PaperSource, isWanted: boolean) =>
    onChange(PAPER_SOURCES.filter((each) => (each === source ? isWanted : chosen.includes(each))));
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t('papers.in')}</legend>
      <div className="flex flex-wrap gap-x-5">
        {PAPER_SOURCES.map((source) => (
          <CheckField
            key={source}
            label={t(`papers.sources.${source}`)}
            checked={chosen.includes(source)}
            onChange={(isWanted) => put(source, isWanted)}
          />
        ))}
      </div>
    </fieldset>
  );
}
