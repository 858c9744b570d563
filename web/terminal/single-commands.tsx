import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { useFollowEnd } from '../chat/follow-end.ts';
import { Badge } from '../parts/badge.tsx';
import { IconButton } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { TerminalText } from '../parts/terminal-text.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { CommandLine } from './command-line.tsx';
import { placeOf, type Ran } from './session.ts';
import { useTerminal } from './use-terminal.ts';

interface Props {
  workspaceId: string;
  root: string;
  /** A message above the commands. */
  above?: ReactNode;
  /** Opens a terminal instead. */
  other?: ReactNode;
}

/** Runs one command at a time, each in a new shell. */
export function SingleCommands({ workspaceId, root, above, other }: Props) {
  const { t } = useTranslation();
  const { session, run, clear } = useTerminal(workspaceId, root);
  const { pane, content, arm } = useFollowEnd();
  const may = useMay('member', workspaceId);
  const start = (command: string) => {
    arm();
    run.mutate(command);
  };
  return (
    <div className="mx-auto flex h-full w-full max-w-5xl flex-col px-5 py-6">
      <PageHead
        title={t('terminal.title')}
        note={t('terminal.note')}
        actions={
          <>
            {other}
            <IconButton icon="trash" label={t('terminal.clear')} onClick={clear} />
          </>
        }
      />
      {above}
      <ScrollRegion
        ref={pane}
        label={t('terminal.output')}
        className="min-h-0 flex-1 overflow-y-auto rounded-t-lg border border-line bg-surface"
      >
        <div ref={content} className="space-y-4 p-4 font-mono text-xs leading-5">
          {session.ran.length === 0 && <p className="text-muted">{t('terminal.welcome')}</p>}
          {session.ran.map((ran) => (
            <Entry key={ran.id} ran={ran} root={root} />
          ))}
        </div>
      </ScrollRegion>
      <Spoken ran={session.ran.at(-1)} />
      {may && (
        <CommandLine
          workspaceId={workspaceId}
          place={placeOf(session.cwd, root)}
          isBusy={run.isPending}
          onRun={start}
          onClear={clear}
        />
      )}
    </div>
  );
}

/** Announces to screen readers that the command is running, and how it ended. */
function Spoken({ ran }: { ran: Ran | undefined }) {
  const { t } = useTranslation();
  const { result, error } = ran ?? {};
  return (
    <p role="status" className="sr-only">
      {ran && !result && !error && t('terminal.running')}
      {result && t('terminal.exit', { code: result.exitCode })}
    </p>
  );
}

function Entry({ ran: { command, cwd, result, error }, root }: { ran: Ran; root: string }) {
  const { t } = useTranslation();
  return (
    <section aria-label={command} className="space-y-1">
      <p className="break-all whitespace-pre-wrap">
        <span className="text-accent">{placeOf(cwd, root)} $</span> {command}
      </p>
      {!result && !error && <p className="text-muted">{t('terminal.running')}</p>}
      <Problem error={error} />
      {result?.stdout && <Output text={result.stdout} />}
      {result?.stderr && <Output text={result.stderr} isError />}
      {result && (result.exitCode !== 0 || result.timedOut || result.truncated) && (
        <p className="flex flex-wrap gap-2 font-sans">
          {result.exitCode !== 0 && (
            <Badge look="danger" icon="warn">
              {t('terminal.exit', { code: result.exitCode })}
            </Badge>
          )}
          {result.timedOut && (
            <Badge look="warn" icon="clock">
              {t('terminal.timedOut')}
            </Badge>
          )}
          {result.truncated && <Badge look="warn">{t('terminal.truncated')}</Badge>}
        </p>
      )}
    </section>
  );
}

function Output({ text, isError = false }: { text: string; isError?: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={isError ? 'border-l-2 border-danger pl-3' : ''}>
      {isError && <p className="font-sans text-muted">{t('terminal.errors')}</p>}
      <TerminalText text={text} />
    </div>
  );
}
