import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AttachButtons, AttachedList } from './attach-bar.tsx';
import { Composer } from './composer.tsx';
import { ModelSelect } from './model-choice.tsx';
import type { useAttachments } from './use-attachments.ts';
import type { ChatSession } from './use-chat-session.ts';

interface Props {
  session: ChatSession;
  workspaceId: string;
  draftName: string;
  disabled: boolean;
  attaching: ReturnType<typeof useAttachments>;
  onAsk: (text: string) => void;
}

/** Input for a question, with its files and the model. */
export function AskBar({ session, workspaceId, draftName, disabled, attaching, onAsk }: Props) {
  const { t } = useTranslation();
  return (
    <Composer
      draftName={draftName}
      label={t('chat.ask')}
      isBusy={session.isBusy}
      disabled={disabled}
      onSend={onAsk}
      onStop={() => void session.stop()}
      above={<AttachedList attaching={attaching} />}
      onFiles={attaching.add}
    >
      <div className="flex items-center">
        <AttachButtons workspaceId={workspaceId} attaching={attaching} />
        <ChosenModel session={session} disabled={disabled} />
        <span className="hidden px-2 text-xs text-muted sm:inline">{t('chat.hint')}</span>
      </div>
    </Composer>
  );
}

function ChosenModel({ session, disabled }: { session: ChatSession; disabled: boolean }) {
  const { model } = session;
  const [chosen, setChosen] = useState(model.current);
  const choose = (choice: typeof chosen) => {
    model.current = choice;
    setChosen(choice);
  };
  return <ModelSelect disabled={disabled} chosen={chosen} onChoose={choose} />;
}
