import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { type Conversation, useChangeConversation, useDeleteConversation } from './queries.ts';

interface Props {
  conversation: Conversation;
  onClose: () => void;
}

export function RenameConversation({ conversation, onClose }: Props) {
  const { t } = useTranslation();
  const change = useChangeConversation();
  const [title, setTitle] = useState(conversation.title);
  return (
    <FormDialog
      title={t('conversations.rename')}
      onClose={onClose}
      onSend={() => change.mutate({ id: conversation.id, title: title.trim() }, { onSuccess: onClose })}
      sending={change}
      isWhole={title.trim() !== ''}
      action={t('conversations.rename')}
    >
      <Field label={t('conversations.name')} value={title} maxLength={200} required onChange={setTitle} />
    </FormDialog>
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
