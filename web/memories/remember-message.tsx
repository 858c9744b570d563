import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_FACT_CHARACTERS } from '../../lib/api-contract/fact-limit.ts';
import { useMay } from '../access/role.ts';
import { IconButton } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { FactDialog } from './fact-dialog.tsx';
import { useAddFact } from './queries.ts';

/** Saves a fact from a message of the person, who sees and edits it first. */
export function RememberMessage({ text, className }: { text: string; className: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      <IconButton
        icon={isSaved ? 'check' : 'pin'}
        label={t(isSaved ? 'memories.saved' : 'memories.remember')}
        onClick={() => setOpen(true)}
        className={className}
      />
      {isOpen && <RememberDialog text={text} onSaved={() => setSaved(true)} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps {
  text: string;
  onSaved: () => void;
  onClose: () => void;
}

function RememberDialog({ text, onSaved, onClose }: DialogProps) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const mayWrite = useMay('member', workspaceId);
  const [scope, setScope] = useState('person');
  const isPersonal = scope === 'person';
  const add = useAddFact(isPersonal ? undefined : workspaceId);
  const done = () => {
    onSaved();
    onClose();
  };
  return (
    <FactDialog
      title={t('memories.remember')}
      initial={{ text: text.replace(/\s+/g, ' ').trim().slice(0, MAX_FACT_CHARACTERS) }}
      isPersonal={isPersonal}
      sending={add}
      onSend={(input) => add.mutate(input, { onSuccess: done })}
      onClose={onClose}
    >
      {mayWrite && (
        <SelectField
          label={t('memories.for')}
          value={scope}
          options={[
            ['person', t('memories.person.for')],
            ['workspace', t('memories.workspace.for')],
          ]}
          onChange={setScope}
        />
      )}
      <p className="text-sm">
        <Link to="/w/$workspaceId/memory" params={{ workspaceId }} className="text-accent underline">
          {t('memories.open')}
        </Link>
      </p>
    </FactDialog>
  );
}
