import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { pathWithLines } from '../../lib/api-contract/shown-place.ts';
import { PlainTable } from '../parts/plain-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { TerminalText } from '../parts/terminal-text.tsx';
import { Changes } from './changes.tsx';
import { Labeled } from './labeled.tsx';
import { LongRegion } from './long-region.tsx';
import {
  fieldsOf,
  type Passage,
  readEdits,
  readPassages,
  readTable,
  readTerminalOutput,
  type TerminalOutput,
  textOf,
} from './read-output.ts';
import type { Call } from './run-steps.ts';
import { showOutput, showUnseen } from './tool-text.ts';

/** The arguments of a tool: a file change as a diff, a shell line as code, everything else as JSON. */
export function ToolInput({
  tool,
  input,
  inputText = '',
  before,
}: {
  tool: string;
  input: unknown;
  inputText?: string;
  /** The text of the file that a write replaces. */
  before?: string | undefined;
}) {
  const { t } = useTranslation();
  const edits = readEdits(tool, input, before);
  const command = tool === 'bash' ? textOf(fieldsOf(input)?.command) : undefined;
  if (edits !== undefined) return <Changes path={textOf(fieldsOf(input)?.path)} edits={edits} />;
  const text = command === undefined ? showOutput(input ?? inputText) : `$ ${command}`;
  const label = t(command === undefined ? 'agent.arguments' : 'agent.command');
  return (
    <Labeled label={label}>
      <LongRegion data-user-content label={label} className={BOX}>
        {showUnseen(text)}
      </LongRegion>
    </Labeled>
  );
}

/**
 * The result of a tool, in a suitable form. Its contents are always text inside the console's own elements.
 */
export function ToolOutput({ call: { tool, output, error, live } }: { call: Call }) {
  const { t } = useTranslation();
  if (live !== undefined && output === undefined && error === undefined)
    return (
      <Labeled label={t('agent.output')}>
        <Screen>
          <TerminalText text={live} />
        </Screen>
      </Labeled>
    );
  if (error !== undefined) return <Box label={t('agent.output')} text={error} />;
  const terminal = tool === 'bash' ? readTerminalOutput(output) : undefined;
  if (terminal) return <Terminal output={terminal} />;
  const passages = readPassages(tool, output);
  if (passages) return <Passages passages={passages} />;
  const table = readTable(output);
  if (table)
    return (
      <Labeled label={t('agent.output')}>
        <ScrollRegion data-user-content label={t('agent.output')} className="max-h-80 overflow-auto">
          <PlainTable header={table.header} rows={table.rows} cellClass="max-w-96 break-words" />
        </ScrollRegion>
      </Labeled>
    );
  const text = showOutput(output);
  return text === '' ? null : <Box label={t('agent.output')} text={text} />;
}

const BOX =
  'max-h-80 overflow-auto rounded-sm bg-sunken p-2.5 font-mono text-xs break-words whitespace-pre-wrap';

function Box({ label, text }: { label: string; text: string }) {
  return (
    <Labeled label={label}>
      <ScrollRegion data-user-content label={label} className={BOX}>
        {text}
      </ScrollRegion>
    </Labeled>
  );
}

/** The output of a command, visually separate from the console's own text. */
function Screen({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <ScrollRegion label={t('agent.output')} className={`${BOX} border-l-4 border-ink`}>
      {children}
    </ScrollRegion>
  );
}

function Terminal({ output }: { output: TerminalOutput }) {
  const { t } = useTranslation();
  const { stdout, stderr, exitCode, note } = output;
  const isWell = exitCode === 0;
  return (
    <Labeled label={t('agent.output')}>
      <Screen>
        <TerminalText text={stdout} />
        {stderr !== '' && (
          <div className="mt-2 border-t border-dashed border-line pt-2">
            <span className="block text-muted">{t('agent.stderr')}</span>
            <TerminalText text={stderr} />
          </div>
        )}
        {stdout === '' && stderr === '' && <span className="text-muted">{t('agent.noOutput')}</span>}
      </Screen>
      <p className={`mt-1 text-xs ${isWell ? 'text-muted' : 'text-danger'}`}>
        {exitCode !== undefined && t('agent.exitCode', { code: exitCode })} {note}
      </p>
    </Labeled>
  );
}

function Passages({ passages }: { passages: Passage[] }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  return (
    <Labeled label={t('agent.found')}>
      <ScrollRegion data-user-content label={t('agent.found')} className="max-h-96 overflow-auto">
        <ol className="space-y-2">
          {passages.map(({ path, startLine, endLine, text }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a result comes whole
            <li key={place} className="rounded-sm bg-sunken p-2.5">
              <Link
                to="/w/$workspaceId/files"
                params={{ workspaceId }}
                search={{ path, lines: `${startLine}-${endLine}` }}
                preload={false}
                className="text-xs font-medium break-words text-accent underline"
              >
                {pathWithLines({ path, startLine, endLine: startLine })}
              </Link>
              <p className="mt-1 line-clamp-6 text-xs break-words whitespace-pre-wrap">{text}</p>
            </li>
          ))}
        </ol>
      </ScrollRegion>
    </Labeled>
  );
}
