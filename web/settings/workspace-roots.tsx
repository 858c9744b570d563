import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { useAddRoot, useRemoveRoot, useWorkspaceRoots, type WorkspaceRoot } from './root-queries.ts';

/** The folders that can contain workspaces, with a form that adds one. */
export function WorkspaceRoots() {
  const { t } = useTranslation();
  const roots = useWorkspaceRoots();
  return (
    <Card title={t('settings.roots')}>
      <Problem error={roots.error} />
      {roots.data && (
        <>
          <p className="mb-3 text-sm text-muted">
            {t(roots.data.canAdd ? 'settings.rootsNote' : 'settings.rootsFixed')}
          </p>
          <Rows label={t('settings.roots')}>
            {roots.data.items.map((root) => (
              <RootRow key={`${root.source} ${root.path}`} root={root} />
            ))}
          </Rows>
          {roots.data.canAdd && <NewRoot />}
        </>
      )}
    </Card>
  );
}

function RootRow({ root: { path, source, inForce } }: { root: WorkspaceRoot }) {
  const { t } = useTranslation();
  const remove = useRemoveRoot();
  const [isAsking, setAsking] = useState(false);
  return (
    <Row isStill>
      <div className="min-w-0 flex-1 basis-64">
        <p data-user-content className="font-mono text-sm break-all">
          {path}
        </p>
        <p className="text-xs text-muted">{t(`settings.rootSources.${source}`)}</p>
      </div>
      {!inForce && <Badge look="warn">{t('settings.rootGone')}</Badge>}
      {source === 'settings' && (
        <Button look="danger" aria-label={t('settings.removeRoot', { path })} onClick={() => setAsking(true)}>
          {t('parts.remove')}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('settings.removeRootAsk')}
          note={t('settings.removeRootNote', { path })}
          action={t('parts.remove')}
          doing={remove}
          onConfirm={() => remove.mutate(path, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  );
}

/** Asks before the folder is added, because everyone who may create workspaces gets its files. */
function NewRoot() {
  const { t } = useTranslation();
  const add = useAddRoot();
  const [path, setPath] = useState('');
  const [isAsking, setAsking] = useState(false);
  const added = () => {
    setAsking(false);
    setPath('');
  };
  return (
    <Form onSend={() => setAsking(true)} isWhole={path.trim() !== ''} className="mt-4 space-y-3">
      <Field
        label={t('settings.newRoot')}
        hint={t('settings.newRootHint')}
        maxLength={4096}
        value={path}
        onChange={setPath}
      />
      <Button type="submit" disabled={path.trim() === ''}>
        {t('settings.addRoot')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('settings.addRootAsk')}
          note={t('settings.addRootNote', { path: path.trim() })}
          action={t('settings.addRoot')}
          doing={add}
          onConfirm={() => add.mutate(path.trim(), { onSuccess: added })}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  );
}
