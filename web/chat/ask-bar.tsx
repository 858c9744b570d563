import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../parts/button.tsx';
import { FilterChoice, FilterList } from '../search/filter-choice.tsx';
import { AlsoSearch, AlsoSearched } from './also-search.tsx';
import { AttachButtons, AttachedList } from './attach-bar.tsx';
import { Composer } from './composer.tsx';
import { JudgeSelect } from './judge-choice.tsx';
import { keepModelChoice, ModelSelect } from './model-choice.tsx';
import type { Scope } from './scope.ts';
import { ScopeChoice, ScopeList } from './scope-choice.tsx';
import type { useAttachments } from './use-attachments.ts';
import type { ChatSession } from './use-chat-session.ts';
import { WebNote, WebSwitch } from './web-choice.tsx';

interface Props {
  session: ChatSession;
  workspaceId: string;
  draftName: string;
  /** True if no model is connected. A question then only finds passages, and no model reads attachments. */
  noAi: boolean;
  attaching: ReturnType<typeof useAttachments>;
  scope: Scope;
  onAsk: (text: string) => void;
}

/** Input for a question, with its files and the model. */
export function AskBar({ session, workspaceId, draftName, noAi, attaching, scope, onAsk }: Props) {
  const { t } = useTranslation();
  return (
    <Composer
      draftName={draftName}
      label={t('chat.ask')}
      isBusy={session.isBusy}
      startsFocused
      onSend={onAsk}
      onStop={() => void session.stop()}
      above={
        <>
          <Above attaching={attaching} scope={scope} />
          {!noAi && <WebNote workspaceId={workspaceId} web={session.web} />}
        </>
      }
      mentions={{
        workspaceId,
        onChoose: (path: string) => scope.paths.includes(path) || scope.toggle(path),
      }}
      {...(!noAi && { onFiles: attaching.add })}
    >
      <div className="flex flex-wrap items-center">
        {!noAi && <AttachButtons workspaceId={workspaceId} attaching={attaching} />}
        {scope.others.length === 0 && <ScopeChoice workspaceId={workspaceId} scope={scope} />}
        <FilterChoice filter={scope.filter} onChange={scope.setFilter} />
        {!noAi && <AlsoSearch workspaceId={workspaceId} scope={scope} />}
        {!noAi && <WebSwitch workspaceId={workspaceId} web={session.web} />}
        {!noAi && <ChosenModel session={session} />}
        {!noAi && <JudgeSelect workspaceId={workspaceId} {...session.judge} />}
        {!noAi && session.messages.length > 0 && scope.others.length === 0 && (
          <ToAgent {...{ workspaceId, conversationId: draftName, isBusy: session.isBusy }} />
        )}
        <span className="hidden px-2 text-xs text-muted sm:inline pointer-coarse:hidden">
          {t('chat.hint')}
        </span>
      </div>
    </Composer>
  );
}

interface ToAgentProps {
  workspaceId: string;
  conversationId: string;
  isBusy: boolean;
}

/** Lets the agent continue the conversation. */
function ToAgent({ workspaceId, conversationId, isBusy }: ToAgentProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const open = () =>
    void navigate({
      to: '/w/$workspaceId/agent/in/$conversationId',
      params: { workspaceId, conversationId },
    });
  return <IconButton icon="agent" label={t('chat.toAgent')} disabled={isBusy} onClick={open} />;
}

function Above({ attaching, scope }: Pick<Props, 'attaching' | 'scope'>) {
  return (
    <>
      <ScopeList scope={scope} />
      <FilterList filter={scope.filter} onChange={scope.setFilter} />
      <AlsoSearched scope={scope} />
      <AttachedList attaching={attaching} />
    </>
  );
}

function ChosenModel({ session }: { session: ChatSession }) {
  const { model } = session;
  const [chosen, setChosen] = useState(model.current);
  const choose = (choice: typeof chosen) => {
    model.current = choice;
    keepModelChoice(choice);
    setChosen(choice);
  };
  return <ModelSelect chosen={chosen} onChoose={choose} />;
}
