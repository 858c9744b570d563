import { useTranslation } from 'react-i18next';
import { Tree } from '../files/tree.tsx';
import { Button } from '../parts/button.tsx';
import { ChoiceDialog, ChosenList } from '../parts/choice-dialog.tsx';
import { checkedState, MAX_PATHS, type Scope } from './scope.ts';

/** The choice of the files that a question is about: all, or those selected in the tree. */
export function ScopeChoice({ workspaceId, scope }: { workspaceId: string; scope: Scope }) {
  const { t } = useTranslation();
  const { paths, toggle, clear } = scope;
  const said = paths.length === 0 ? t('chat.scope.all') : t('chat.scope.some', { count: paths.length });
  return (
    <ChoiceDialog said={said} title={t('chat.scope.title')} note={t('chat.scope.note', { most: MAX_PATHS })}>
      {(done) => (
        <>
          <div className="h-[min(24rem,50dvh)]">
            <Tree
              workspaceId={workspaceId}
              selected={undefined}
              onSelect={toggle}
              checks={{ of: (path) => checkedState(paths, path), toggle }}
            />
          </div>
          <div className="flex items-center justify-between gap-3 pt-3">
            <Button disabled={paths.length === 0} onClick={clear}>
              {t('chat.scope.clear')}
            </Button>
            <span role="status" className="text-sm text-muted">
              {said}
            </span>
            {done}
          </div>
        </>
      )}
    </ChoiceDialog>
  );
}

/** The selected files and folders, above the text. */
export function ScopeList({ scope: { paths, toggle } }: { scope: Scope }) {
  const { t } = useTranslation();
  const chosen = paths.map((path) => ({ id: path, name: path }));
  return <ChosenList label={t('chat.scope.only')} chosen={chosen} onRemove={toggle} />;
}
