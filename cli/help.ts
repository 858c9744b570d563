import { COMMON_OPTIONS, type Command } from './command.ts';
import { EXIT, EXIT_TEXTS } from './failure.ts';

const COMMON_TEXTS: Record<keyof typeof COMMON_OPTIONS, string> = {
  json: 'JSON alone: the result on standard output, {"error"} and {"notice"} on standard error',
  url: 'the service to use',
  workspace: 'a workspace by name or id, instead of a folder',
  help: 'this text',
};

export function helpOfAll(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return `wrs: questions to folders of files, answered from them

${commands.map(({ name, summary }) => `  wrs ${name.padEnd(width)}${summary}`).join('\n')}

wrs COMMAND --help says more. FOLDER is the current one when it is left out; TEXT can be - for standard input.

Which service: --url, or WRS_URL with WRS_TOKEN, or the one of \`wrs login\`; else the one that runs over the data folder; else
wrs starts one for this call alone. Its data: DATA_DIR, or ~/.local/share/wrs. Its settings: the environment, then
~/.config/wrs/.env (XDG_DATA_HOME and XDG_CONFIG_HOME move both).

wrs --version prints the version. NO_COLOR turns colors off. Exit codes:
${exitLines()}
`;
}

function exitLines(): string {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return names.map((name) => `  ${String(EXIT[name]).padEnd(5)}${EXIT_TEXTS[name]}`).join('\n');
}

export function helpFor({ name, usage, summary, options = {}, optionTexts = {} }: Command): string {
  const texts: Record<string, string> = { ...optionTexts, ...COMMON_TEXTS };
  const lines = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, { type, ...rest }]) => {
    const short = 'short' in rest ? `-${rest.short}, ` : '';
    return `  ${`${short}--${option}${type === 'string' ? ' …' : ''}`.padEnd(20)}${texts[option] ?? ''}`;
  });
  return `wrs ${name} ${usage}\n\n${summary}\n\n${lines.join('\n')}\n`;
}
