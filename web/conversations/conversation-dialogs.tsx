import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { type Conversation, useChangeConversation, useDeleteConversation } from './queries.ts';

interface Props {
  conversation: Conversation;
  onClose: () => void;
}

export function RenameConversation({ conversation, onClose }: Props) {
  const { t } = useTranslation();
  const change = useChangeConversation();
  const [title, setTitle] = useState(conversation.title);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ id: conversation.id, title: title.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog title={t('conversations.rename')} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <Field
          label={t('conversations.name')}
          value={title}
          maxLength={200}
          required
          onChange={({ target }) => setTitle(target.value)}
        />
        <Problem error={change.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('parts.cancel')}</Button>
          <Button look="main" type="submit" disabled={change.isPending || title.trim() === ''}>
            {t('conversations.rename')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function DeleteConversation({ conversation, onClose, onDeleted }: Props & { onDeleted: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteConversation();
  return (
    <ConfirmDialog
      title={t('conversations.deleteTitle', { title: conversation.title })}
      note={t('conversations.deleteNote')}
      action={t('conversations.delete')}
      doing={remove}
      onConfirm={() => remove.mutate(conversation.id, { onSuccess: onDeleted })}
      onClose={onClose}
    />
  );
}
