import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { inputQueue } from './input-queue.ts';
import { openScreen, type Screen } from './screen.ts';
import {
  forgetSession,
  isGone,
  isImpossible,
  keptSession,
  openTabSession,
  sendInput,
  sendSize,
  sessionFrames,
} from './sessions.ts';

/** Milliseconds without output after which the kept output of a continued session is complete. */
const REPLAYED_MS = 300;

export interface LiveState {
  id?: string | undefined;
  /** Why the session ended, as the service names it. */
  ended?: string | undefined;
  error?: Error | undefined;
}

/** Opens the session of this tab in a workspace, or continues it, and draws it into an element. */
export function useLiveTerminal(workspaceId: string, onImpossible: (error: Error) => void) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen>(undefined);
  const [state, setState] = useState<LiveState>({});
  const [round, setRound] = useState(0);
  const label = t('terminal.screen');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` opens another session
  useEffect(() => {
    const leaving = new AbortController();
    setState({});
    const opened = startScreen(place, label, setState);
    if (opened === undefined) return;
    screen.current = opened.screen;
    const fail = (error: unknown) => {
      if (leaving.signal.aborted) return;
      if (isImpossible(error)) onImpossible(error as Error);
      else setState((now) => ({ ...now, error: error as Error }));
    };
    run(workspaceId, opened, leaving.signal, setState).catch(fail);
    return () => {
      leaving.abort();
      opened.screen.close();
    };
  }, [workspaceId, label, round]);
  return { place, screen, state, setState, again: () => setRound((count) => count + 1) };
}

type SetState = (next: (now: LiveState) => LiveState) => void;

/** Returns the screen, and a function that receives its input once the session is open. */
function startScreen(
  { current: element }: RefObject<HTMLDivElement | null>,
  label: string,
  setState: SetState,
) {
  if (element === null) return undefined;
  const target: { id?: string; isReplaying: boolean } = { isReplaying: false };
  const fail = (error: Error) => setState((now) => ({ ...now, error }));
  const send = inputQueue(async (text) => {
    if (target.id !== undefined) await sendInput(target.id, text);
  }, fail);
  const screen = openScreen(element, {
    label,
    // Otherwise, drawing the kept output would make the terminal answer its queries a second time.
    onInput: (text) => target.isReplaying || send(text),
    onSize: (size) => target.id !== undefined && void sendSize(target.id, size).catch(() => undefined),
  });
  return { screen, target };
}

type Started = NonNullable<ReturnType<typeof startScreen>>;

async function run(
  workspaceId: string,
  started: Started,
  signal: AbortSignal,
  setState: SetState,
): Promise<void> {
  const kept = keptSession(workspaceId);
  try {
    if (kept !== undefined) return await follow(kept, started, signal, setState, true);
  } catch (error) {
    if (!isGone(error)) throw error;
    forgetSession(workspaceId);
    started.screen.terminal.reset();
  }
  const id = await openTabSession(workspaceId, started.screen.size());
  if (!signal.aborted) await follow(id, started, signal, setState, false);
}

async function follow(
  id: string,
  { screen, target }: Started,
  signal: AbortSignal,
  setState: SetState,
  isKept: boolean,
): Promise<void> {
  target.id = id;
  target.isReplaying = isKept;
  setState(() => ({ id }));
  if (isKept) await sendSize(id, screen.size());
  const replayed = () => {
    target.isReplaying = false;
  };
  let timer = setTimeout(replayed, REPLAYED_MS);
  screen.terminal.focus();
  for await (const { part } of sessionFrames(id, signal)) {
    if (part.type === 'data-terminal') await screen.write((part.data as { text: string }).text);
    else if (part.type === 'data-terminal-end')
      setState((now) => ({ ...now, ended: (part.data as { reason: string }).reason }));
    if (!target.isReplaying) continue;
    clearTimeout(timer);
    timer = setTimeout(replayed, REPLAYED_MS);
  }
}
