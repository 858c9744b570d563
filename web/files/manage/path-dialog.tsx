import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';

interface Props {
  title: string;
  action: string;
  path: string;
  doing: { error: Error | null; isPending: boolean };
  onSubmit: (path: string) => void;
  onClose: () => void;
}

/** Asks for a path in the workspace. */
export function PathDialog({ title, action, path, doing, onSubmit, onClose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState(path);
  const isUnchanged = text.trim() === path || text.trim().endsWith('/');
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSend={() => onSubmit(text.trim())}
      sending={doing}
      isWhole={!isUnchanged}
      action={action}
    >
      <Field
        label={t('files.manage.path')}
        hint={t('files.manage.pathHint')}
        value={text}
        required
        autoComplete="off"
        onChange={setText}
      />
    </FormDialog>
  );
}
