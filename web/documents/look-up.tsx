import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogNames } from '../../lib/api-contract/reference-words.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { OutwardLink } from '../parts/outward-link.tsx';
import { Problem } from '../parts/problem.tsx';
import { differencesIn, type FactTexts } from './facts.ts';
import { type DocumentLookup, useLookUp } from './queries.ts';

interface Props {
  workspaceId: string;
  path: string;
  /** The facts in the form, which may not be saved. */
  texts: FactTexts;
  onTake: (taken: Partial<FactTexts>) => void;
}

/** Looks up the paper on request, and shows what was found next to what the form has. */
export function LookUp({ workspaceId, path, texts, onTake }: Props) {
  const { t } = useTranslation();
  const [identifier, setIdentifier] = useState(texts.doi);
  const lookUp = useLookUp(workspaceId, path);
  return (
    <section aria-label={t('documents.lookUp')} className="space-y-3 rounded-md border border-line p-3">
      <Form onSend={() => lookUp.mutate(identifier.trim())} sending={lookUp} className="space-y-2">
        <Field
          label={t('documents.identifier')}
          hint={t('documents.lookUpHint')}
          maxLength={500}
          value={identifier}
          onChange={setIdentifier}
        />
        <Button type="submit" icon="search" disabled={lookUp.isPending}>
          {t(lookUp.isPending ? 'documents.lookingUp' : 'documents.lookUp')}
        </Button>
        <Problem error={lookUp.error} />
      </Form>
      {lookUp.data && <Found lookup={lookUp.data} texts={texts} onTake={onTake} />}
    </section>
  );
}

interface FoundProps extends Pick<Props, 'texts' | 'onTake'> {
  lookup: DocumentLookup;
}

function Found({ lookup: { state, record, unavailable }, texts, onTake }: FoundProps) {
  const { t, i18n } = useTranslation();
  const language = i18n.language.startsWith('zh') ? 'zh' : 'en';
  const silent = unavailable.length > 0 && (
    <p className="text-sm text-muted">
      {t('documents.silent', { catalogs: catalogNames(unavailable, language) })}
    </p>
  );
  if (record === null)
    return (
      <div role="status" className="space-y-2">
        <Banner look="warn">
          {t(state === 'not_found' ? 'documents.notFound' : 'documents.notChecked')}
        </Banner>
        {silent}
      </div>
    );
  const differences = differencesIn(record, texts);
  const takeAll = () => onTake(Object.fromEntries(differences.map(({ fact, text }) => [fact, text])));
  return (
    <div role="status" className="space-y-2">
      {state === 'retracted' && <Banner look="danger">{t('documents.retracted')}</Banner>}
      <p className="flex flex-wrap gap-x-3 text-sm">
        <OutwardLink href={record.url} text={catalogNames([record.source], language)} />
        {record.venue !== null && (
          <span data-user-content className="min-w-0 break-words text-muted">
            {record.venue}
          </span>
        )}
      </p>
      {silent}
      {differences.length === 0 ? (
        <p className="text-sm text-muted">{t('documents.same')}</p>
      ) : (
        <>
          <ul className="divide-y divide-line">
            {differences.map(({ fact, text }) => (
              <Difference
                key={fact}
                name={t(`documents.fields.${fact}`)}
                own={texts[fact]}
                found={text}
                onTake={() => onTake({ [fact]: text })}
              />
            ))}
          </ul>
          {differences.length > 1 && <Button onClick={takeAll}>{t('documents.takeAll')}</Button>}
        </>
      )}
    </div>
  );
}

interface DifferenceProps {
  name: string;
  own: string;
  found: string;
  onTake: () => void;
}

function Difference({ name, own, found, onTake }: DifferenceProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <li className="flex flex-wrap items-start gap-x-3 py-2 text-sm">
      <span id={id} className="w-20 text-muted">
        {name}
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <ShownValue text={found} />
        {own !== '' && (
          <span className="block text-xs text-muted">
            {t('documents.now')} <ShownValue text={own} />
          </span>
        )}
      </div>
      <Button id={`${id}-take`} aria-labelledby={`${id}-take ${id}`} onClick={onTake}>
        {t('documents.take')}
      </Button>
    </li>
  );
}

const AUTHORS_SHOWN = 6;

/** A value on a few lines, because a paper may have 100 authors. */
function ShownValue({ text }: { text: string }) {
  const { t } = useTranslation();
  const lines = text.split('\n');
  const more = lines.length - AUTHORS_SHOWN;
  return (
    <span data-user-content className="break-words">
      {lines.slice(0, AUTHORS_SHOWN).join('; ')}
      {more > 0 && ` ${t('papers.moreAuthors', { count: more })}`}
    </span>
  );
}
