import { UsageError } from '../../infra/command-line.ts';
import type { Command } from '../command.ts';
import { completionFor, SHELLS } from '../completion.ts';
import { printJson } from '../terminal.ts';

export const completion: Command = {
  name: 'completion',
  usage: 'bash|zsh|fish',
  summary: 'print a completion script: source <(wrs completion bash)',
  uses: 'nothing',
  completes: SHELLS,
  async run({ context, words, commands }) {
    const [shell, ...more] = words;
    const script = more.length === 0 && shell !== undefined ? completionFor(shell, commands) : undefined;
    if (script === undefined) throw new UsageError('Name the shell: bash, zsh, or fish.');
    if (context.isJson) printJson({ shell, script });
    else process.stdout.write(script);
  },
};
