/** The certain effects of a tool call, in display order, losses first. */
export const EFFECT_KINDS = [
  'deletes',
  'deletesFolder',
  'deletesSome',
  'overwrites',
  'replaces',
  'removes',
  'adds',
  'edits',
  'unchanged',
  'creates',
  'writes',
  'moves',
  'copies',
  'makesFolder',
  'reads',
  'unknown',
  'runs',
] as const;
type EffectKind = (typeof EFFECT_KINDS)[number];

/** One effect of a call: a file and its lines, or a command. */
export interface CallEffect {
  kind: EffectKind;
  path?: string | undefined;
  /** The destination of `moves` and `copies`. */
  to?: string | undefined;
  lines?: number | undefined;
  command?: string | undefined;
}

const MAX_SHOWN = 4;
const MAX_NAMED = 3;

/** Effects as shown on one line: some, grouped by kind, and the number of others. */
export interface ShownEffects {
  shown: (CallEffect & { paths: string[] })[];
  more: number;
}

/** Sorts effects, losses first. */
export function sortEffects(effects: readonly CallEffect[]): CallEffect[] {
  return [...effects].sort((a, b) => EFFECT_KINDS.indexOf(a.kind) - EFFECT_KINDS.indexOf(b.kind));
}

/** Selects the effects that fit on a line. Several deleted files are one effect, with all their paths. */
export function selectEffects(effects: readonly CallEffect[]): ShownEffects {
  const grouped: (CallEffect & { paths: string[] })[] = [];
  for (const effect of sortEffects(effects)) {
    const last = grouped.at(-1);
    const path = effect.path === undefined ? [] : [effect.path];
    if (last?.kind === 'deletes' && effect.kind === 'deletes') last.paths.push(...path);
    else grouped.push({ ...effect, paths: path });
  }
  return { shown: grouped.slice(0, MAX_SHOWN), more: Math.max(0, grouped.length - MAX_SHOWN) };
}

/** True if the paths are named, not only counted. */
export function areNamed({ paths }: { paths: string[] }): boolean {
  return paths.length <= MAX_NAMED;
}

type ShownEffect = ShownEffects['shown'][number];

const TEXTS: Record<EffectKind, (effect: ShownEffect) => string> = {
  deletes: (effect) =>
    `Deletes ${areNamed(effect) ? effect.paths.join(', ') : `${effect.paths.length} files or folders`}`,
  deletesFolder: ({ path }) => `Deletes the folder ${path}`,
  deletesSome: () => 'Deletes files: names unknown',
  overwrites: ({ path }) => `Replaces ${path}`,
  replaces: ({ path, lines }) => `Replaces ${linesText(lines)} of ${path}`,
  removes: ({ path, lines }) => `Removes ${linesText(lines)} from ${path}`,
  adds: ({ path, lines }) => `Adds ${linesText(lines)} to ${path}`,
  edits: ({ path }) => `Changes ${path}`,
  unchanged: ({ path }) => `Leaves ${path} unchanged`,
  creates: ({ path, lines }) => `Creates ${path} with ${linesText(lines)}`,
  writes: ({ path }) => `Writes ${path}`,
  moves: ({ path, to }) => `Moves ${path} to ${to}`,
  copies: ({ path, to }) => `Copies ${path} to ${to}`,
  makesFolder: ({ path }) => `Creates the folder ${path}`,
  reads: ({ path }) => `Reads ${path}`,
  unknown: () => 'Runs a command: effects unknown',
  runs: ({ command }) => `Runs ${command}`,
};

function linesText(lines = 0): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

/** Returns the effects as one line of English; empty if there are none. */
export function effectsText(effects: readonly CallEffect[]): string {
  const { shown, more } = selectEffects(effects);
  const texts = shown.map((effect) => TEXTS[effect.kind](effect));
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join(' · ');
}
