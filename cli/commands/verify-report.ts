import { UsageError } from '../../infra/command-line.ts';
import { type Command, textOf } from '../command.ts';
import { EXIT } from '../failure.ts';
import { cleanLine, dim, green, printJson, printLine, red } from '../terminal.ts';

/** Many more mean that the file is another one. */
const MAX_SHOWN = 20;
const STATES = { passed: green('passed'), failed: red('FAILED'), not_checked: dim('not checked') };

/** Works without a service, a network, or a model: a proof is for people who have none of them. */
export const verifyReport: Command = {
  name: 'verify-report',
  usage: 'FILE',
  summary: 'verify the proof of a report (ZIP), without a service, network, or model',
  options: {
    'root-hash': { type: 'string' },
    folder: { type: 'string' },
    repacked: { type: 'boolean' },
  },
  optionTexts: {
    'root-hash': 'root hash that the service shows for the report, to rule out a forged proof',
    folder: 'folder of the workspace, to look for the quotes in its files',
    repacked: 'accept a ZIP file that another program packed again, if its contents are intact',
  },
  completes: 'folder',
  async run({ context, words, values }) {
    const [file, ...more] = words;
    if (file === undefined || more.length > 0)
      throw new UsageError('The file of the proof is required, and only one can be named.');
    const rootHash = textOf(values, 'root-hash');
    if (rootHash !== undefined && !/^[0-9a-f]{64}$/i.test(rootHash))
      throw new UsageError('--root-hash must have 64 hexadecimal digits.');
    const { verifyReportFile } = await import('../../infra/verify-report.ts');
    const verified = await verifyReportFile(file, {
      ...{ rootHash, folder: textOf(values, 'folder'), repacked: values.repacked === true },
    });
    if (context.isJson) printJson({ file, ...verified });
    else if (verified.isProof) tell(verified, rootHash !== undefined);
    else tellOther(verified);
    if (!verified.isIntact) process.exitCode = EXIT.failed;
  },
};

type Verified = Awaited<ReturnType<typeof import('../../infra/verify-report.ts')['verifyReportFile']>>;

function tell({ isIntact, title, runId, rootHash, checks }: Verified, isCompared: boolean): void {
  if (title !== undefined) printLine(`${cleanLine(title)} (run ${cleanLine(runId ?? '')})`);
  for (const check of checks) tellCheck(check);
  if (rootHash !== undefined) printLine(`Root hash: ${rootHash}`);
  const good = isCompared ? 'The proof is intact.' : 'The proof is consistent in itself.';
  printLine(isIntact ? green(good) : red('The proof is not intact.'));
  if (isIntact && !isCompared)
    printLine(
      dim(
        'Someone who made or changed the ZIP file could have sealed it again. To rule that out, get the root hash from the person who exported the report, and add --root-hash.',
      ),
    );
}

function tellOther({ checks }: Verified): void {
  for (const { about, problems } of checks) printLine(red(about), ` ${cleanLine(problems.join(' '))}`);
}

function tellCheck({ state, about, problems }: Verified['checks'][number]): void {
  printLine(STATES[state], `: ${cleanLine(about)}`);
  for (const problem of problems.slice(0, MAX_SHOWN)) printLine(`  - ${cleanLine(problem)}`);
  if (problems.length > MAX_SHOWN) printLine(`  - and ${problems.length - MAX_SHOWN} more`);
}
