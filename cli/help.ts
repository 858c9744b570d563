import { type Command, optionsOf } from './command.ts';
import { EXIT, EXIT_TEXTS } from './failure.ts';

const COMMON_TEXTS = {
  json: 'JSON output: the result on standard output, {"error"} and {"notice"} on standard error',
  url: 'URL of the service',
  workspace: 'name or ID of a workspace, instead of a folder',
  help: 'show help',
};

export function helpOfAll(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return `wrs: ask questions about a folder of files

${commands.map(({ name, summary }) => `  wrs ${name.padEnd(width)}${summary}`).join('\n')}

Run wrs COMMAND --help for details. FOLDER defaults to the current folder. TEXT can be - to read standard input.

Service: wrs uses --url, or WRS_URL with WRS_TOKEN, or the service of \`wrs login\`, or the service that is running on the data
folder. Otherwise, it starts one for this command. Data: DATA_DIR, or ~/.local/share/wrs. Settings: the environment, then
~/.config/wrs/.env. XDG_DATA_HOME and XDG_CONFIG_HOME change these locations.

wrs --version prints the version. NO_COLOR disables colors. Exit codes:
${exitLines()}
`;
}

function exitLines(): string {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return names.map((name) => `  ${String(EXIT[name]).padEnd(5)}${EXIT_TEXTS[name]}`).join('\n');
}

export function helpFor(command: Command): string {
  const { name, usage, summary, optionTexts = {} } = command;
  const texts: Record<string, string> = { ...optionTexts, ...COMMON_TEXTS };
  const lines = Object.entries(optionsOf(command)).map(([option, { type, ...rest }]) => {
    const short = 'short' in rest ? `-${rest.short}, ` : '';
    return `  ${`${short}--${option}${type === 'string' ? ' …' : ''}`.padEnd(20)}${texts[option] ?? ''}`;
  });
  return `wrs ${name} ${usage}\n\n${summary}\n\n${lines.join('\n')}\n`;
}
