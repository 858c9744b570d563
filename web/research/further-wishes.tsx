import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Field, SelectField, TextArea } from '../parts/field.tsx';
import { readAddresses } from './addresses.ts';
import { BOUNDS, type Bound, type StartDraft } from './start-draft.ts';

const BOUND_NAMES = Object.keys(BOUNDS) as Bound[];
const LANGUAGES = ['en', 'zh-CN', 'de', 'es', 'fr', 'ja', 'ko', 'pt', 'ru'];

interface Props {
  draft: StartDraft;
  onChange: (changed: Partial<StartDraft>) => void;
}

/** Rarely used options: web pages, limits, and language. */
export function FurtherWishes({ draft, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const { pages, budget, language } = draft;
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  return (
    <div className="space-y-4">
      <PageList pages={pages} onChange={(next) => onChange({ pages: next })} />
      <Bounds budget={budget} onChange={(next) => onChange({ budget: next })} />
      <SelectField
        label={t('research.language')}
        value={language}
        options={LANGUAGES.map((each) => [each, names.of(each) ?? each])}
        onChange={(next) => onChange({ language: next })}
      />
    </div>
  );
}

function PageList({ pages, onChange }: { pages: string; onChange: (pages: string) => void }) {
  const { t } = useTranslation();
  const { wrong } = readAddresses(pages);
  return (
    <>
      <TextArea
        label={t('research.addresses')}
        rows={2}
        value={pages}
        onChange={onChange}
        className="resize-y font-mono"
      />
      {wrong.length > 0 && (
        <Banner look="warn">{t('research.wrongAddresses', { lines: wrong.slice(0, 5).join(' ') })}</Banner>
      )}
    </>
  );
}

interface BoundsProps {
  budget: StartDraft['budget'];
  onChange: (budget: StartDraft['budget']) => void;
}

function Bounds({ budget, onChange }: BoundsProps) {
  const { t } = useTranslation();
  const change = (name: Bound, value: string) => {
    const { [name]: _, ...others } = budget;
    onChange(value === '' ? others : { ...others, [name]: Number(value) });
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
            {...BOUNDS[name]}
            step={1}
            value={budget[name] ?? ''}
            onChange={(value) => change(name, value)}
          />
        ))}
      </div>
    </fieldset>
  );
}
