import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_FACT_CHARACTERS } from '../../lib/api-contract/fact-limit.ts';
import { useIsAlone } from '../access/role.ts';
import { CheckField, TextArea } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import type { FactInput } from './queries.ts';

interface Props {
  title: string;
  initial: FactInput;
  /** True for a fact of the reader, which others may see in answers only if the reader allows it. */
  isPersonal: boolean;
  sending: { error: Error | null; isPending: boolean };
  onSend: (input: FactInput) => void;
  onClose: () => void;
  /** Another choice. */
  children?: ReactNode;
}

/** Shows a fact before it is saved, because the model reads exactly what a person confirmed. */
export function FactDialog({ title, initial, isPersonal, sending, onSend, onClose, children }: Props) {
  const { t } = useTranslation();
  const isAlone = useIsAlone();
  const [text, setText] = useState(initial.text);
  const [shared, setShared] = useState(initial.shared ?? false);
  const hasChoice = isPersonal && !isAlone;
  return (
    <FormDialog
      title={title}
      action={t('memories.save')}
      sending={sending}
      isWhole={text.trim() !== ''}
      onSend={() => onSend({ text, shared: hasChoice ? shared : undefined })}
      onClose={onClose}
    >
      <TextArea
        label={t('memories.text')}
        rows={4}
        maxLength={MAX_FACT_CHARACTERS}
        value={text}
        onChange={setText}
      />
      {children}
      {hasChoice && <SharedField value={shared} onChange={setShared} />}
    </FormDialog>
  );
}

export function SharedField({ value, onChange }: { value: boolean; onChange: (shared: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <CheckField
      label={t('memories.shared')}
      hint={t('memories.sharedHint')}
      checked={value}
      onChange={onChange}
    />
  );
}
