import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormDraft } from '../parts/draft.ts';
import { CheckField, TextArea } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { useImportSkill } from './queries.ts';

interface Props {
  workspaceId: string;
  mayEverywhere: boolean;
  onClose: () => void;
}

/** Imports a pasted skill, and opens it. */
function useImport(workspaceId: string) {
  const navigate = useNavigate();
  const { draft, change, drop, field } = useFormDraft(`skill import ${workspaceId}`, {
    text: '',
    isForAll: false,
  });
  const load = useImportSkill();
  const send = () => {
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
  return { load, draft, change, field, send };
}

/**
 * Imports a skill from a URL, or from a SKILL.md or its JSON, pasted or chosen as a file. The skill's text is
 * shown before it can run.
 */
export function ImportSkill({ workspaceId, mayEverywhere, onClose }: Props) {
  const { t } = useTranslation();
  const { load, draft, change, field, send } = useImport(workspaceId);
  const { text, isForAll } = draft;
  return (
    <FormDialog
      title={t('skills.importTitle')}
      onClose={onClose}
      onSend={send}
      sending={load}
      isWhole={text.trim() !== ''}
      action={t('skills.import')}
    >
      <TextArea
        label={t('skills.importText')}
        hint={t('skills.importHint')}
        rows={8}
        className="font-mono"
        {...field('text')}
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
    </FormDialog>
  );
}
