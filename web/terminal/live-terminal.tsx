import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import '@xterm/xterm/css/xterm.css';
import { Banner } from '../parts/banner.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { useTheme } from '../shell/theme.ts';
import { closeSession, forgetSession, stopForeground } from './sessions.ts';
import { useLiveTerminal } from './use-live-terminal.ts';

interface Props {
  workspaceId: string;
  onSingle: () => void;
  /** Called if the service can't hold terminals. */
  onImpossible: (reason: Error) => void;
}

/** The service's reasons for the end of a session. */
const ENDS = {
  exited: 'terminal.ended.exited',
  closed: 'terminal.ended.closed',
  idle: 'terminal.ended.idle',
  lifetime: 'terminal.ended.lifetime',
  rights_lost: 'terminal.ended.rights_lost',
  lost: 'terminal.ended.lost',
} as const;

export function LiveTerminal({ workspaceId, onSingle, onImpossible }: Props) {
  const { t } = useTranslation();
  const { place, screen, state, setState, again } = useLiveTerminal(workspaceId, onImpossible);
  const { id, ended } = state;
  const stop = useMutation({ mutationFn: stopForeground });
  const close = useMutation({
    mutationFn: closeSession,
    onSuccess: () => setState((now) => ({ ...now, ended: 'closed' })),
  });
  const isOpen = id !== undefined && ended === undefined;
  useColors(() => screen.current?.recolor());
  const openAgain = () => {
    forgetSession(workspaceId);
    again();
  };
  return (
    <div className="relative mx-auto flex h-full w-full max-w-6xl flex-col overflow-y-auto px-5 py-6">
      <PageHead
        title={t('terminal.title')}
        note={t('terminal.liveNote')}
        actions={
          <>
            <Button
              icon="stop"
              disabled={!isOpen}
              onClick={() => isOpen && stop.mutate(id, { onSettled: () => screen.current?.terminal.focus() })}
            >
              {t('terminal.stop')}
            </Button>
            <Button onClick={onSingle}>{t('terminal.useCommands')}</Button>
            <ScreenReaderButton
              onChange={(isOn) => {
                if (screen.current) screen.current.terminal.options.screenReaderMode = isOn;
              }}
            />
            <IconButton
              icon="close"
              label={t('terminal.close')}
              disabled={!isOpen}
              onClick={() => isOpen && close.mutate(id)}
            />
          </>
        }
      />
      <Problem error={state.error ?? stop.error ?? close.error} onRetry={openAgain} />
      <div role="status">
        {ended !== undefined && (
          <div className="pb-3">
            <Banner action={<Button onClick={openAgain}>{t('terminal.openAgain')}</Button>}>
              {t(ENDS[ended as keyof typeof ENDS] ?? ENDS.lost)}
            </Banner>
          </div>
        )}
      </div>
      <div className="min-h-48 flex-1 overflow-hidden rounded-lg border border-line bg-surface p-2 focus-within:border-accent">
        <div ref={place} data-user-content className="h-full" />
      </div>
      <p id="terminal-keys" className="pt-2 text-xs text-muted">
        {t('terminal.keys')}
      </p>
    </div>
  );
}

/** Calls back after the page's colors changed. */
function useColors(onChange: () => void): void {
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors depend on the theme
  useEffect(onChange, [theme]);
}

function ScreenReaderButton({ onChange }: { onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation();
  const [isOn, setOn] = useState(false);
  const toggle = () => {
    setOn(!isOn);
    onChange(!isOn);
  };
  return (
    <Button look="quiet" aria-pressed={isOn} onClick={toggle}>
      {t('terminal.screenReader')}
    </Button>
  );
}
