import { type ComponentProps, memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CitingMarkdown } from '../chat/citing-markdown.tsx';
import { lookOf } from '../chat/message-view.ts';
import { Said } from '../chat/notices.tsx';
import { Thoughts } from '../chat/thoughts.tsx';
import { Banner } from '../parts/banner.tsx';
import { IconButton } from '../parts/button.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Markdown } from '../parts/markdown/markdown.tsx';
import { Labeled } from './labeled.tsx';
import { readTerminalOutput } from './read-output.ts';
import type { Call, Step } from './run-steps.ts';
import { useToolName } from './tool-name.ts';
import { showUnseen, titleOf } from './tool-text.ts';
import { ToolInput, ToolOutput } from './tool-view.tsx';

interface Props {
  step: Step;
  citing: Pick<ComponentProps<typeof CitingMarkdown>, 'citations' | 'messageId'>;
  /** The texts of the previous steps. */
  before: string;
  /** True if the run is at this step. */
  isThinking: boolean;
  /** Stops a running call. Absent if the run has ended. */
  onStop?: ((toolCallId: string) => void) | undefined;
}

export const StepView = memo(({ step, citing, before, isThinking, onStop }: Props) => {
  if (step.kind === 'call') {
    const stop = step.call.state === 'running' && onStop;
    return stop ? (
      <RunningCall call={step.call} onStop={() => stop(step.id)} />
    ) : (
      <CallView call={step.call} />
    );
  }
  if (step.kind === 'notice') return <Notice notice={step} />;
  if (step.kind === 'said') return <Steering text={step.text} />;
  if (step.text.trim() === '') return null;
  if (step.kind === 'reasoning') return <Thoughts text={step.text} isThinking={isThinking} />;
  if (citing.citations.length === 0) return <Markdown text={step.text} />;
  return <CitingMarkdown text={step.text} {...citing} before={before} />;
});

/** Shows a message that the person sent while the run worked. */
function Steering({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <article aria-label={t('agent.said')} className="flex justify-end">
      <p
        data-user-content
        className="max-w-[85%] rounded-lg bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap"
      >
        {text}
      </p>
    </article>
  );
}

function Notice({ notice }: { notice: ComponentProps<typeof Said>['notice'] }) {
  const { t } = useTranslation();
  return (
    <Banner look={lookOf(notice)}>
      <Said notice={notice} label={t('agent.notice')} />
    </Banner>
  );
}

const SIGNS: Record<Call['state'], { icon: IconName; look: string }> = {
  writing: { icon: 'edit', look: 'text-muted' },
  running: { icon: 'clock', look: 'text-accent' },
  waiting: { icon: 'hand', look: 'text-warn' },
  allowed: { icon: 'clock', look: 'text-muted' },
  done: { icon: 'check', look: 'text-good' },
  failed: { icon: 'warn', look: 'text-danger' },
  stopped: { icon: 'stop', look: 'text-muted' },
  denied: { icon: 'close', look: 'text-danger' },
};

/** A tool call. Arguments and output are untrusted text, in a separate box that nothing inside can leave. */
function CallView({ call }: { call: Call }) {
  const { t } = useTranslation();
  const nameOf = useToolName();
  const { icon, look } = SIGNS[call.state];
  const exitCode = readTerminalOutput(call.output)?.exitCode;
  return (
    <details
      open={call.live !== undefined && call.state === 'running' ? true : undefined}
      className="overflow-hidden rounded-md border border-line bg-surface text-sm"
    >
      <summary className="flex min-h-10 items-center gap-2.5 px-3 hover:bg-sunken">
        <span className={look}>
          <Icon name={icon} size={16} />
        </span>
        <span className="font-medium" title={call.tool}>
          {nameOf(call.tool)}
        </span>
        <span data-user-content className="min-w-0 flex-1 truncate font-mono text-xs text-muted">
          {titleOf(call)}
        </span>
        <span className={call.state === 'done' ? 'sr-only' : `text-xs ${look}`}>
          {exitCode === undefined || exitCode === 0
            ? t(`agent.call.${call.state}`)
            : t('agent.exitCode', { code: exitCode })}
          {call.state === 'running' && <Elapsed />}
        </span>
      </summary>
      <div className="space-y-2 border-t border-line p-3">
        <ToolInput tool={call.tool} input={call.input} inputText={call.inputText} />
        {call.reason !== undefined && (
          <Labeled label={t('agent.denialReason')}>
            <p className="break-words whitespace-pre-wrap">{showUnseen(call.reason)}</p>
          </Labeled>
        )}
        <ToolOutput call={call} />
      </div>
    </details>
  );
}

/** A call, with a button that stops only the call and not its run. */
function RunningCall({ call, onStop }: { call: Call; onStop: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <CallView call={call} />
      </div>
      <IconButton icon="stop" label={t('agent.stopCall')} onClick={onStop} />
    </div>
  );
}

/** Seconds since this page saw the call start. Screen readers don't announce them. */
function Elapsed() {
  const [startedAt] = useState(Date.now);
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.round((now - startedAt) / 1000);
  return (
    <span aria-hidden="true" className="tabular-nums">
      {seconds > 0 && ` ${seconds} s`}
    </span>
  );
}
