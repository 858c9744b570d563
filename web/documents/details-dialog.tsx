import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { Field, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { correctionOf, FACTS, type Fact, type FactTexts, textOf, textsOf } from './facts.ts';
import { LookUp } from './look-up.tsx';
import { type Document, useCorrectDocument, useDocument } from './queries.ts';

interface Props {
  workspaceId: string;
  path: string;
  onClose: () => void;
}

/** The facts of a document. Members may correct them. */
export function DetailsDialog({ workspaceId, path, onClose }: Props) {
  const { t } = useTranslation();
  const mayWrite = useMay('member', workspaceId);
  const query = useDocument(workspaceId, path);
  return (
    <Dialog title={t('documents.title')} onClose={onClose}>
      <Loaded query={query} rows={6} rowClass="h-10">
        {(document) =>
          document === null ? (
            <p className="text-sm text-muted">{t('documents.notIndexed')}</p>
          ) : (
            <>
              <p className="mb-3 text-sm break-words text-muted">
                <span data-user-content>{document.path}</span> · {t(`search.kinds.${document.kind}`)}
              </p>
              {mayWrite ? (
                <Editor workspaceId={workspaceId} document={document} onClose={onClose} />
              ) : (
                <Facts document={document} />
              )}
            </>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Facts({ document }: { document: Document }) {
  const { t } = useTranslation();
  const known = FACTS.map((fact): [string, string] => [
    t(`documents.fields.${fact}`),
    textOf(document[fact]),
  ]);
  return (
    <div data-user-content>
      <FactList facts={known.filter(([, text]) => text !== '')} />
    </div>
  );
}

interface EditorProps extends Pick<Props, 'workspaceId' | 'onClose'> {
  document: Document;
}

function Editor({ workspaceId, document, onClose }: EditorProps) {
  const { t } = useTranslation();
  const save = useCorrectDocument(workspaceId, document.path);
  const [texts, setTexts] = useState(() => textsOf(document));
  const [given, setGiven] = useState<ReadonlySet<Fact>>(new Set());
  const change = (changed: Partial<FactTexts>) => {
    setTexts((before) => ({ ...before, ...changed }));
    setGiven((before) => new Set([...before].filter((fact) => changed[fact] === undefined)));
  };
  const giveBack = (fact: Fact) => {
    setTexts((before) => ({ ...before, [fact]: textOf(document.stated[fact]) }));
    setGiven((before) => new Set([...before, fact]));
  };
  const correction = correctionOf(document, texts, given);
  return (
    <div className="space-y-5">
      <LookUp workspaceId={workspaceId} path={document.path} texts={texts} onTake={change} />
      <Form
        onSend={() => save.mutate(correction, { onSuccess: onClose })}
        sending={save}
        isWhole={Object.keys(correction).length > 0}
        action={t('documents.save')}
        onCancel={onClose}
      >
        {FACTS.map((fact) => (
          <div key={fact}>
            <FactField fact={fact} text={texts[fact]} onChange={(text) => change({ [fact]: text })} />
            {document.corrected.includes(fact) && (
              <Corrected
                stated={textOf(document.stated[fact])}
                isGiven={given.has(fact)}
                onGiveBack={() => giveBack(fact)}
              />
            )}
          </div>
        ))}
      </Form>
    </div>
  );
}

interface FieldProps {
  fact: Fact;
  text: string;
  onChange: (text: string) => void;
}

function FactField({ fact, text, onChange }: FieldProps) {
  const { t } = useTranslation();
  const shared = { label: t(`documents.fields.${fact}`), value: text, onChange };
  if (fact === 'authors' || fact === 'tags')
    return <TextArea {...shared} hint={t('documents.onePerLine')} rows={fact === 'authors' ? 3 : 2} />;
  if (fact === 'year') return <Field {...shared} type="number" min={1000} max={2999} step={1} />;
  return (
    <Field {...shared} maxLength={500} {...(fact === 'citeKey' && { hint: t('documents.citeKeyHint') })} />
  );
}

interface CorrectedProps {
  stated: string;
  isGiven: boolean;
  onGiveBack: () => void;
}

/** Marks a corrected field, with the value of the file and the way back to it. */
function Corrected({ stated, isGiven, onGiveBack }: CorrectedProps) {
  const { t } = useTranslation();
  if (isGiven) return <p className="mt-1 text-xs text-muted">{t('documents.givenBack')}</p>;
  const value = stated.replaceAll('\n', '; ');
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-muted">
      <span className="min-w-0 break-words">
        {t(value === '' ? 'documents.correctedNone' : 'documents.corrected', { value })}
      </span>
      <Button look="quiet" icon="again" className="text-xs" onClick={onGiveBack}>
        {t('documents.giveBack')}
      </Button>
    </div>
  );
}
