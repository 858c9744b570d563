import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { type RepositoryStatus, useBranch } from './queries.ts';

interface Props {
  workspaceId: string;
  status: RepositoryStatus;
  mayChange: boolean;
}

/** The current branch, how far it differs from its remote, and a way to switch to another. */
export function BranchCard({ workspaceId, status, mayChange }: Props) {
  const { t } = useTranslation();
  const { branch, branches, hasUpstream, ahead, behind, clean } = status;
  const change = useBranch(workspaceId);
  const [isCreating, setCreating] = useState(false);
  const apart = [
    ahead > 0 ? t('git.ahead', { count: ahead }) : [],
    behind > 0 ? t('git.behind', { count: behind }) : [],
  ].flat();
  return (
    <Card title={branch === null ? t('git.none') : t('git.branch', { name: branch })}>
      <p className="text-sm">
        {apart.length > 0 ? apart.join(' · ') : t(hasUpstream ? 'git.level' : 'git.noUpstream')}
      </p>
      {clean && <p className="mt-3 text-sm text-good">{t('git.clean')}</p>}
      {mayChange && (
        <div className="mt-4 flex flex-wrap items-end gap-3">
          {branches.length > 1 && branch !== null && (
            <SelectField
              label={t('git.switchTo')}
              value={branch}
              options={branches.map((name) => [name, name])}
              onChange={(name) => change.mutate({ name, create: false })}
            />
          )}
          <Button icon="branch" onClick={() => setCreating(true)}>
            {t('git.newBranch')}
          </Button>
        </div>
      )}
      {!isCreating && <Problem error={change.error} />}
      {isCreating && <NewBranch change={change} onClose={() => setCreating(false)} />}
    </Card>
  );
}

interface NewProps {
  change: ReturnType<typeof useBranch>;
  onClose: () => void;
}

function NewBranch({ change, onClose }: NewProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={t('git.newBranch')}
      onClose={onClose}
      sending={change}
      isWhole={name.trim() !== ''}
      action={t('git.create')}
      onSend={() => change.mutate({ name: name.trim(), create: true }, { onSuccess: onClose })}
    >
      <Field
        label={t('git.branchName')}
        hint={t('git.branchHint')}
        required
        maxLength={200}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}
