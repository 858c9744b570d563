import { useTranslation } from 'react-i18next';
import { Tree } from '../files/tree.tsx';
import { Button } from '../parts/button.tsx';
import { ChoiceDialog, ChosenList } from '../parts/choice-dialog.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { CheckField, Field, SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { useSources } from '../sources/queries.ts';
import { type ColumnDraft, columnOf, draftOf, emptyColumn, isColumnWhole } from './column-drafts.ts';
import { ColumnsEditor } from './columns-editor.tsx';
import { useCreateTable, useSuggestColumns } from './queries.ts';

const PILOTS = ['3', '4', '5'] as const;

interface Draft {
  name: string;
  question: string;
  glob: string;
  paths: string[];
  columns: ColumnDraft[];
  pilot: string;
  followNew: boolean;
}

const emptyDraft = (): Draft => ({
  ...{ name: '', question: '', glob: '', paths: [], columns: [emptyColumn()] },
  ...{ pilot: PILOTS[0], followNew: false },
});

export function CreateForm({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const create = useCreateTable(workspaceId);
  const { draft, change, drop, field } = useFormDraft<Draft>(`new table ${workspaceId}`, emptyDraft());
  const { name, glob, paths, columns, pilot, followNew } = draft;
  const hasRows = paths.length > 0 || glob.trim() !== '';
  const rows = paths.length > 0 ? { paths } : { glob: glob.trim() };
  // Not onSuccess, which isn't called once the table has opened and the form is unmounted.
  const submit = () =>
    void create
      .mutateAsync({
        ...{ ...rows, name: name.trim(), columns: columns.map(columnOf), pilot: Number(pilot) },
        followNew: followNew && paths.length === 0,
      })
      .then(drop, () => {});
  return (
    <Form
      onSend={submit}
      sending={create}
      isWhole={name.trim() !== '' && hasRows && columns.every(isColumnWhole)}
      action={t('evidence.create')}
      className="space-y-4 rounded-lg border border-line bg-surface p-4 shadow-raised"
    >
      <Field label={t('evidence.name')} maxLength={200} {...field('name')} />
      <RowsFields workspaceId={workspaceId} draft={draft} onChange={change} />
      <Suggest workspaceId={workspaceId} draft={draft} onChange={change} />
      <ColumnsEditor columns={columns} onChange={(next) => change({ columns: next })} />
      <SelectField
        label={t('evidence.pilot')}
        hint={t('evidence.pilotHint')}
        options={PILOTS.map((each) => [each, each] as const)}
        {...field('pilot')}
      />
      {paths.length === 0 && (
        <CheckField
          label={t('evidence.followNew')}
          hint={t('evidence.followNewHint')}
          checked={followNew}
          onChange={(next) => change({ followNew: next })}
        />
      )}
    </Form>
  );
}

interface PartProps {
  workspaceId: string;
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
}

/** The documents: by a pattern of their paths, or chosen in the tree. */
function RowsFields({ workspaceId, draft: { glob, paths }, onChange }: PartProps) {
  const { t } = useTranslation();
  const { data: sources = [] } = useSources(workspaceId);
  const toggle = (path: string) =>
    onChange({ paths: paths.includes(path) ? paths.filter((each) => each !== path) : [...paths, path] });
  const said = paths.length === 0 ? t('evidence.choose') : t('evidence.chosen', { count: paths.length });
  return (
    <div className="space-y-2">
      {paths.length === 0 && (
        <Field
          label={t('evidence.glob')}
          hint={t('evidence.globHint')}
          maxLength={500}
          value={glob}
          onChange={(next) => onChange({ glob: next })}
        />
      )}
      {paths.length === 0 && sources.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {sources.map(({ id, name, path }) => (
            <Button key={id} onClick={() => onChange({ glob: `${path}/**` })}>
              {t('evidence.allOf', { name })}
            </Button>
          ))}
        </div>
      )}
      <ChosenList
        label={t('evidence.documents')}
        chosen={paths.map((path) => ({ id: path, name: path }))}
        onRemove={toggle}
      />
      <ChoiceDialog said={said} title={t('evidence.documents')} note={t('evidence.chooseNote')}>
        {(done) => (
          <>
            <div className="h-[min(24rem,50dvh)]">
              <Tree workspaceId={workspaceId} selected={paths.at(-1)} onSelect={toggle} />
            </div>
            <div className="flex items-center justify-between gap-3 pt-3">
              <span role="status" className="text-sm text-muted">
                {said}
              </span>
              {done}
            </div>
          </>
        )}
      </ChoiceDialog>
    </div>
  );
}

/** Lets a model suggest the columns. What a person has entered stays. */
function Suggest({ workspaceId, draft: { question, columns }, onChange }: PartProps) {
  const { t } = useTranslation();
  const suggest = useSuggestColumns(workspaceId);
  const send = () =>
    suggest.mutate(question.trim(), {
      onSuccess: ({ columns: found }) =>
        onChange({ columns: [...columns.filter(isColumnWhole), ...found.map((column) => draftOf(column))] }),
    });
  return (
    <div className="space-y-2">
      <Field
        label={t('evidence.question')}
        hint={t('evidence.questionHint')}
        maxLength={2000}
        value={question}
        onChange={(next) => onChange({ question: next })}
      />
      <Button disabled={question.trim() === '' || suggest.isPending} onClick={send}>
        {t(suggest.isPending ? 'evidence.suggesting' : 'evidence.suggest')}
      </Button>
      <Problem error={suggest.error} />
    </div>
  );
}
