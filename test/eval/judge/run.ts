import { parseArgs } from 'node:util';
import { readConfig } from '../../../lib/config.ts';
import { costOf } from '../../../lib/prices/price-of.ts';
import { openLanguageModel } from '../../../lib/wiring/language-model.ts';
import { readWice } from '../citations/collections.ts';
import { measureJudge, toLabeledClaim } from './measure-judge.ts';
import { byCommonWords, scriptedJudge, verdictsOf } from './scripted-judge.ts';

/**
 * `npm run eval:judge -- --wice FOLDER`: how often the configured model (environment as for the service)
 * agrees with the annotators of WiCE. It calls the model, which may cost money: `--limit 50` judges only the
 * first claims. `--scripted` uses a judge by rules.
 */
const { values } = parseArgs({
  options: {
    wice: { type: 'string' },
    part: { type: 'string', default: 'dev' },
    batch: { type: 'string', default: '10' },
    limit: { type: 'string' },
    scripted: { type: 'boolean', default: false },
  },
});
if (values.wice === undefined) throw new Error('--wice must name the folder of WiCE');

const model = values.scripted
  ? scriptedJudge((claims) => verdictsOf(claims, byCommonWords))
  : openLanguageModel(readConfig());
const all = (await readWice(values.wice, values.part)).map(toLabeledClaim);
const claims = all.slice(0, values.limit === undefined ? all.length : Number(values.limit));
const { balanced, interval, table, use } = await measureJudge(model, claims, Number(values.batch));

console.log(`${model.model}: ${claims.length} claims of WiCE ${values.part}, ${values.batch} per call`);
if (values.scripted) console.log('A judge by rules: these figures say nothing about a model.');
console.log(
  `balanced accuracy ${balanced.toFixed(3)} (95 %: ${interval.map((bound) => bound.toFixed(3)).join(' to ')})`,
);
for (const [label, said] of Object.entries(table)) {
  console.log(
    `${label.padEnd(20)}${Object.entries(said)
      .map(([support, count]) => `${support} ${count}`)
      .join(', ')}`,
  );
}
const cost = costOf(model.model, { ...use, embeddedTokens: 0 }, {});
const price = cost === null ? 'no list price' : `USD ${cost.toFixed(2)}`;
console.log(
  `${use.calls} calls, ${use.unusable} unusable answers, ${use.failed} failures, ${use.inputTokens} + ${use.outputTokens} tokens, ${price}`,
);
