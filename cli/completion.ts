import { type Command, optionsOf } from './command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/**
 * Generates the completion script from the table of commands, so that none is missing; undefined for an unknown shell.
 */
export function completionFor(shell: string, commands: readonly Command[]): string | undefined {
  if (shell === 'bash') return bash(commands);
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
  return shell === 'fish' ? fish(commands) : undefined;
}

function longOptionsOf(command: Command): string[] {
  return Object.keys(optionsOf(command)).map((name) => `--${name}`);
}

function bash(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `_wrs() {
  local word=\${COMP_WORDS[COMP_CWORD]} words= folders=
  if [ "$COMP_CWORD" = 1 ]; then words='${names} --help --version'
  else case \${COMP_WORDS[1]} in
${commands.map(bashCase).join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  local folder
  if [ -n "$folders" ]; then
    while IFS= read -r folder; do COMPREPLY+=("$folder"); done < <(compgen -d -- "$word")
  fi
}
complete -o filenames -F _wrs wrs
`;
}

function bashCase(command: Command): string {
  const words = [...(command.completes === 'folder' ? [] : command.completes), ...longOptionsOf(command)];
  const folders = command.completes === 'folder' ? ' folders=1' : '';
  return `    ${command.name}) words='${words.join(' ')}'${folders} ;;`;
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const within = `-n '__fish_seen_subcommand_from ${command.name}'`;
    const options = longOptionsOf(command).map((option) => `complete -c wrs ${within} -l ${option.slice(2)}`);
    const words =
      command.completes === 'folder'
        ? `complete -c wrs ${within} -a '(__fish_complete_directories)'`
        : `complete -c wrs ${within} -a '${command.completes.join(' ')}'`;
    return [
      `complete -c wrs -n __fish_use_subcommand -a ${command.name} -d '${command.summary}'`,
      words,
      ...options,
    ];
  });
  const first = ['help', 'version'].map((name) => `complete -c wrs -n __fish_use_subcommand -l ${name}`);
  return ['complete -c wrs -f', ...first, ...lines, ''].join('\n');
}
