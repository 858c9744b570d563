import { useTranslation } from 'react-i18next';
import {
  REFERENCE_STATES,
  REFERENCE_WORDS,
  type ReferenceState,
  wordReference,
} from '../../lib/api-contract/reference-words.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { OutwardLink } from '../parts/outward-link.tsx';
import { useTableLanguage } from './evidence.tsx';

type CheckedReference = Schemas['CheckedReference'];

/** The looks of the states. Each has its own icon, so that they differ without color. */
const LOOKS: Record<ReferenceState, { icon: IconName; text: string }> = {
  retracted: { icon: 'warn', text: 'text-danger' },
  not_found: { icon: 'close', text: 'text-danger' },
  differs: { icon: 'flag', text: 'text-warn' },
  not_checked: { icon: 'clock', text: 'text-muted' },
  found: { icon: 'check', text: 'text-good' },
};

/** The entries of the draft's reference list, with the doubtful ones first. */
export function ReferenceList({ references }: { references: CheckedReference[] }) {
  const { t } = useTranslation();
  const language = useTableLanguage();
  if (references.length === 0) return null;
  const sorted = REFERENCE_STATES.flatMap((state) => references.filter((each) => each.state === state));
  return (
    <section aria-label={REFERENCE_WORDS[language].title} className="space-y-2">
      <h2 className="text-lg font-medium">{REFERENCE_WORDS[language].title}</h2>
      <p className="text-sm text-muted">{t('verify.referencesNote')}</p>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
        {sorted.map((reference) => (
          <ReferenceRow key={`${reference.label} ${reference.entry}`} reference={reference} />
        ))}
      </ol>
    </section>
  );
}

function ReferenceRow({ reference }: { reference: CheckedReference }) {
  const language = useTableLanguage();
  const { label, entry, state, record, citedBy } = reference;
  const { t } = useTranslation();
  const { icon, text } = LOOKS[state];
  const lines = state === 'found' ? [] : wordReference(reference, language);
  return (
    <li className="grid grid-cols-1 gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[1fr_12rem]">
      <div className="min-w-0 space-y-1 break-words">
        <p data-user-content>
          {label !== undefined && <span className="text-muted">[{label}] </span>}
          {entry}
        </p>
        {lines.map((line) => (
          <p key={line} data-user-content className="text-sm text-muted">
            {line}
          </p>
        ))}
        <p className="flex flex-wrap gap-x-3 text-sm text-muted empty:hidden">
          {record && <OutwardLink href={record.url} text={t('verify.openRecord')} />}
          {citedBy.length > 0 &&
            t('verify.citedBy', { sentences: citedBy.join(', '), count: citedBy.length })}
        </p>
      </div>
      <span className={`inline-flex items-center gap-1 self-start text-sm ${text}`}>
        <Icon name={icon} size={14} />
        {REFERENCE_WORDS[language].states[state]}
      </span>
    </li>
  );
}
