import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { CheckField, TextArea } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { useImportSkill } from './queries.ts';

interface Props {
  workspaceId: string;
  mayEverywhere: boolean;
  onClose: () => void;
}

/** Imports a pasted skill, and opens it. */
function useImport(workspaceId: string) {
  const navigate = useNavigate();
  const { draft, change, drop } = useFormDraft(`skill import ${workspaceId}`, { text: '', isForAll: false });
  const load = useImportSkill();
  const send = (event: FormEvent) => {
    event.preventDefault();
    load.mutate(
      { text: draft.text, workspaceId: draft.isForAll ? null : workspaceId },
      {
        onSuccess: ({ id: skillId }) => {
          drop();
          void navigate({ to: '/w/$workspaceId/skills/$skillId', params: { workspaceId, skillId } });
        },
      },
    );
  };
  return { load, draft, change, send };
}

/** An address, a SKILL.md or its JSON: pasted, or chosen as a file. What it says is read before it runs. */
export function ImportSkill({ workspaceId, mayEverywhere, onClose }: Props) {
  const { t } = useTranslation();
  const { load, draft, change, send } = useImport(workspaceId);
  const { text, isForAll } = draft;
  return (
    <Dialog title={t('skills.importTitle')} onClose={onClose}>
      <form onSubmit={send} className="space-y-4">
        <TextArea
          label={t('skills.importText')}
          hint={t('skills.importHint')}
          rows={8}
          value={text}
          onChange={({ target }) => change({ text: target.value })}
          className="font-mono"
        />
        <input
          type="file"
          accept=".md,.json"
          aria-label={t('skills.importFile')}
          className="block w-full min-h-9 text-sm"
          onChange={async ({ target }) => change({ text: (await target.files?.[0]?.text()) ?? text })}
        />
        {mayEverywhere && (
          <CheckField
            label={t('skills.forAll')}
            checked={isForAll}
            onChange={(next) => change({ isForAll: next })}
          />
        )}
        <Problem error={load.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('parts.cancel')}</Button>
          <Button look="main" type="submit" disabled={load.isPending || text.trim() === ''}>
            {t('skills.import')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
