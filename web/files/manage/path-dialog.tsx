import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Problem } from '../../parts/problem.tsx';

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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(text.trim());
  };
  const isUnchanged = text.trim() === path || text.trim().endsWith('/');
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <Field
          label={t('files.manage.path')}
          hint={t('files.manage.pathHint')}
          value={text}
          required
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
        <Problem error={doing.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('parts.cancel')}</Button>
          <Button look="main" type="submit" disabled={doing.isPending || isUnchanged}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
