import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { scopeOfAlways } from '../../lib/api-contract/always-scope.ts';
import { areNamed, type CallEffect, selectEffects } from '../../lib/api-contract/call-effects.ts';
import { rowOfTool } from '../../lib/api-contract/rule-table.ts';
import { readRuleQuestions } from './rule-question.ts';
import { showUnseen } from './tool-text.ts';

/** Returns the effects of a call on one line in the page's language; empty if they aren't known. */
export function useEffectWords(effects: readonly CallEffect[]): string {
  const { t } = useTranslation();
  const { shown, more } = selectEffects(effects);
  const words = shown.map((effect) => effectWords(t, effect));
  return [...words, ...(more > 0 ? [t('agent.effects.more', { count: more })] : [])].join(' · ');
}

function effectWords(t: TFunction, { kind, paths, to = '', lines = 0, command = '' }: Shown): string {
  const path = showUnseen(paths.join(', '));
  switch (kind) {
    case 'deletes':
      return areNamed({ paths })
        ? t('agent.effects.deletes', { path })
        : t('agent.effects.deletesMany', { count: paths.length });
    case 'replaces':
    case 'removes':
    case 'adds':
    case 'creates':
      return t(`agent.effects.${kind}`, { path, count: lines });
    case 'moves':
    case 'copies':
      return t(`agent.effects.${kind}`, { path, to: showUnseen(to) });
    case 'runs':
      return t('agent.effects.runs', { command: showUnseen(command) });
    case 'deletesSome':
    case 'unknown':
      return t(`agent.effects.${kind}`);
    default:
      return t(`agent.effects.${kind}`, { path });
  }
}

type Shown = ReturnType<typeof selectEffects>['shown'][number];

/** Returns what a rule with this pattern will allow. */
export function useScopeWords(tool: string, pattern: string): string {
  const { t } = useTranslation();
  const of = scopeOfAlways(tool, pattern);
  if ('program' in of) return t(`agent.scope.${of.scope}`, { program: showUnseen(of.program) });
  if (of.scope === 'folder') return t('agent.scope.folder', { folder: showUnseen(of.folder) });
  return t(`agent.scope.${of.scope}`);
}

/** Returns the rules that require approval, in words; empty if something else requires it. */
export function useRuleWords(reason: string): string[] {
  const { t } = useTranslation();
  const rules = new Set(readRuleQuestions(reason).map(({ rule }) => rule));
  return [...rules].map((rule) => ruleWords(t, rule));
}

function ruleWords(t: TFunction, rule: string): string {
  const space = rule.indexOf(' ');
  const [tool, quoted] = [rule.slice(0, space), rule.slice(space + 1)];
  const row = rowOfTool(tool);
  const words = row ? t(`agent.askedBy.${row}`) : t('agent.askedBy.other', { tool });
  const isForAll = /^"\*+"$/.test(quoted);
  return isForAll ? words : t('agent.askedBy.pattern', { rule: words, pattern: quoted.slice(1, -1) });
}
