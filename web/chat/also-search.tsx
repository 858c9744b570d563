import { useTranslation } from 'react-i18next';
import { ChoiceDialog, ChosenList } from '../parts/choice-dialog.tsx';
import { CheckField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { useWorkspaces } from '../workspaces/queries.ts';
import { MAX_OTHERS, type Scope, toggled } from './scope.ts';

interface Props {
  workspaceId: string;
  scope: Pick<Scope, 'others' | 'toggleOther'>;
  /** What people who can't read all of the workspaces can't read; by default, the conversation. */
  note?: string;
}

/** The choice of further workspaces that a question, a report, or a check is about. */
export function AlsoSearch({ workspaceId, scope, note }: Props) {
  const { t } = useTranslation();
  const count = scope.others.length;
  const said = count === 0 ? t('chat.also.open') : t('chat.also.some', { count });
  return (
    <ChoiceDialog
      said={said}
      title={t('chat.also.title')}
      note={note ?? t('chat.also.note', { most: MAX_OTHERS })}
    >
      {(done) => (
        <>
          <Others workspaceId={workspaceId} scope={scope} />
          <div className="flex justify-end pt-3">{done}</div>
        </>
      )}
    </ChoiceDialog>
  );
}

function Others({ workspaceId, scope: { others, toggleOther } }: Props) {
  const { t } = useTranslation();
  const { data, error } = useWorkspaces();
  const listed = data?.filter(({ id }) => id !== workspaceId) ?? [];
  const isFull = others.length >= MAX_OTHERS;
  return (
    <div className="max-h-[min(24rem,50dvh)] overflow-y-auto">
      <Problem error={error ?? undefined} />
      {data && listed.length === 0 && <p className="text-sm">{t('chat.also.none')}</p>}
      {listed.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          checked={others.includes(id)}
          disabled={isFull && !others.includes(id)}
          onChange={() => toggleOther(id)}
        />
      ))}
    </div>
  );
}

/** The chosen workspaces, above the text. */
export function AlsoSearched({ scope: { others, toggleOther } }: Pick<Props, 'scope'>) {
  const { t } = useTranslation();
  const nameOf = useWorkspaceNames(others.length > 0);
  const chosen = others.map((id) => ({ id, name: nameOf(id) }));
  return <ChosenList label={t('chat.also.list')} chosen={chosen} onRemove={toggleOther} />;
}

interface FieldProps {
  workspaceId: string;
  others: readonly string[];
  onChange: (others: string[]) => void;
}

/** The same choice in a form, whose result is for people who can read all chosen workspaces. */
export function AlsoSearchField({ workspaceId, others, onChange }: FieldProps) {
  const { t } = useTranslation();
  const scope = { others: [...others], toggleOther: (id: string) => onChange(toggled(others, id)) };
  return (
    <div className="space-y-2">
      <AlsoSearch
        workspaceId={workspaceId}
        scope={scope}
        note={t('chat.also.formNote', { most: MAX_OTHERS })}
      />
      <AlsoSearched scope={scope} />
    </div>
  );
}

/** The workspace of a source, in an answer from several workspaces. */
export function SourceWorkspace({ id }: { id: string }) {
  const nameOf = useWorkspaceNames(true);
  return (
    <span data-user-content className="truncate text-xs font-normal text-muted">
      {nameOf(id)}
    </span>
  );
}

function useWorkspaceNames(isWanted: boolean): (id: string) => string {
  const { data } = useWorkspaces(isWanted);
  return (id) => data?.find((each) => each.id === id)?.name ?? id;
}
