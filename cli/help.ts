import { COMMON_OPTIONS, type Command } from './command.ts';

const COMMON_TEXTS: Record<keyof typeof COMMON_OPTIONS, string> = {
  json: 'one JSON value on standard output, errors as {"error"} on the other',
  url: 'the service to use',
  workspace: 'a workspace by name or id, instead of a folder',
  help: 'this text',
};

export function helpOfAll(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return `wrs: questions to folders of files, answered from them

${commands.map(({ name, is }) => `  wrs ${name.padEnd(width)}${is}`).join('\n')}

wrs COMMAND --help says more. FOLDER is the current one when it is left out; TEXT can be - for standard input.

Which service: --url, or WRS_URL with WRS_TOKEN, or the one of \`wrs login\`; else the one that runs over the data folder; else
wrs starts one for this call alone. Its data: DATA_DIR, or ~/.local/share/wrs. Its settings: the environment, then
~/.config/wrs/.env (XDG_DATA_HOME and XDG_CONFIG_HOME move both).

Exit codes: 0 done, 1 failed, 2 wrong use, 3 the service cannot be reached or does not start, 4 not allowed,
5 no model is configured, 130 stopped. NO_COLOR switches colours off.
`;
}

export function helpFor({ name, usage, is, options = {}, optionTexts = {} }: Command): string {
  const texts: Record<string, string> = { ...optionTexts, ...COMMON_TEXTS };
  const lines = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, { type, ...rest }]) => {
    const short = 'short' in rest ? `-${rest.short}, ` : '';
    return `  ${`${short}--${option}${type === 'string' ? ' …' : ''}`.padEnd(20)}${texts[option] ?? ''}`;
  });
  return `wrs ${name} ${usage}\n\n${is}\n\n${lines.join('\n')}\n`;
}
