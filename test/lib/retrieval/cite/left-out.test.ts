import { describe, expect, it } from '@jest/globals';
import { lineStarts } from '../../../../lib/formats/lines.ts';
import { findQuotedWords } from '../../../../lib/retrieval/cite/quoted-words.ts';

async function isFound(words: string, text: string): Promise<boolean> {
  const runs = [{ start: 0, end: text.length }];
  const file = { hash: 'h', text, runs, lines: lineStarts(text), partAt: () => undefined };
  return (await findQuotedWords(file, words, 0)) !== false;
}

describe('quoted words with an ellipsis', () => {
  it.each([
    // A condition follows, or the statement is retracted.
    [
      'The drug … is safe',
      'The drug, which killed three of ten patients and was withdrawn, is safe only in rats.',
    ],
    ['The drug … is safe', 'The drug, which was tested in 40 patients, is safe only in rats.'],
    ['The drug … is safe', 'The drug, which was withdrawn in 2004, is safe in the view of its maker.'],
    ['The plan … works', 'The plan of the city works if the state pays.'],
    // A denial.
    ['The drug … safe', 'The drug was not found to be safe.'],
    ['The drug … is safe', 'The drug, which nobody has tested, is safe.'],
    ['Owls … sleep by day', 'Owls don’t always sleep by day.'],
    ['The trial … a benefit', 'The trial failed to show a benefit.'],
    ['Die Eule … schläft am Tag', 'Die Eule im Wald, die nicht jagt, schläft am Tag.'],
    ['该药……安全', '该药对儿童并不安全。'],
    // A condition or a limit.
    ['The drug … cures cancer', 'The drug may one day, or so its maker hopes, cures cancer.'],
    ['The dose is … 5 mg', 'The dose is at most 5 mg.'],
    ['The dose is … 5 mg', 'The dose is less than 5 mg.'],
    ['The city … pays the bill', 'The city, if the state agrees, pays the bill.'],
    ['该药……有效', '该药可能对部分患者有效。'],
    ['公司……支付费用', '公司只有在获批后支付费用。'],
    // A word or a number is cut, or another number is meant.
    ['The drug is … safe for adults', 'The drug is unsafe for adults.'],
    ['The dose is … 5 mg', 'The dose is about 2.5 mg.'],
    ['The dose is … 5 mg', 'The dose was 4, or so it is said, and is by now 15 mg.'],
    ['It costs 5 … euros', 'It costs 5,000 euros.'],
    ['It costs 5 … euros', 'It costs 5 million euros.'],
    ['Sales rose 5 … in May', 'Sales rose 5 percentage points in May.'],
    ['Revenue was … 5 million euros', 'Revenue was 3 million and costs 5 million euros.'],
    ['Acme earned … 5 million euros', 'Acme earned 3 million and Beta 5 million euros.'],
    ['The dose is … 5 mg', 'The dose is between 3 and 5 mg.'],
    ['The dose is … 5 mg', 'The dose is 3 to 5 mg.'],
    ['The dose is … 5 mg', 'The dose is ten times 5 mg.'],
    ['The dose is … 5 mg', 'The dose is more than 5 mg.'],
    ['In 2020 … 5 people died', 'In 2020 3 people, in 2021 5 people died.'],
    ['The share fell … to 5 percent', 'The share fell in Bern and rose in Basel to 5 percent.'],
    ['销售额增长……5%', '销售额增长2.5%。'],
    ['收入为……5万元', '收入为3万元和成本5万元。'],
    ['剂量为……5毫克', '剂量为低于5毫克。'],
    // Another relation.
    ['Smith … murdered in Rome', 'Smith was murdered in Rome by his neighbor.'],
    ['Smith … killed Jones in Rome', 'Smith was accused of having killed Jones in Rome.'],
    ['The mayor … was arrested in Rome', 'The mayor’s brother was arrested in Rome on Monday.'],
    ['The vaccine is … harmful to children', 'The vaccine is in zero cases harmful to children.'],
    ['The vaccine is … harmful to children', 'The vaccine is in 0 cases harmful to children.'],
    ['The new drug is … safe for children', 'The new drug is too toxic to be considered safe for children.'],
    ['The new drug is … safe for children', 'The new drug is un-safe for children.'],
    ['It is … that vaccines cause autism', 'It is an invention that vaccines cause autism.'],
    ['The new drug was … approved in Germany', 'The new drug was to have been approved in Germany.'],
    ['Acme … win the case in 2019', 'Acme tried to win the case in 2019 in Rome.'],
    ['该药……对儿童有效', '研究显示该药被误以为对儿童有效。'],
    // Another subject.
    ['Owls … hunt by day', 'Owls sleep, hawks hunt by day.'],
    ['Owls … are blind', 'Owls do see well and moles are blind.'],
    [
      'The committee … approved the plan',
      'The committee rejected it after long talks, and the mayor approved the plan.',
    ],
    ['The committee … approved the plan', 'The committee met for a day, but the mayor approved the plan.'],
    ['The committee … approved the plan', 'The committee was told the mayor approved the plan.'],
    ['The committee … approved the plan', 'The committee said that the mayor approved the plan.'],
    ['The committee … approved the plan', 'The committee met Jane Roe, who approved the plan.'],
    ['The committee … approved the plan', 'The committee adjourned and Jane Roe approved the plan.'],
    ['The committee … approved the plan', 'The committee was away; the mayor approved the plan.'],
    ['Owls … hunt by day', 'Owls sleep while the hawks hunt by day.'],
    ['委员会……批准了计划', '委员会讨论了一天，而市长批准了计划。'],
    ['委员会……批准了计划', '委员会讨论了一天，市长批准了计划。'],
    ['委员会……批准了计划', '委员会表示市长批准了计划。'],
  ])('are not found if the source says something else: %j', async (words, text) => {
    expect(await isFound(words, text)).toBe(false);
  });

  it.each([
    ['The drug … is safe', 'The drug, which was tested in 40 patients, is safe.'],
    ['The drug … is safe', 'The drug (a pill of 5 mg) is safe in rats.'],
    ['The drug … is safe', 'The drug, he said, is safe.'],
    ['The drug … is safe', 'The drug that the firm sells in May is safe.'],
    ['Owls … sleep by day', 'Owls of the wood and the meadow sleep by day.'],
    ['Owls … sleep by day', 'Owls, such as the barn owl, sleep by day.'],
    ['Owls … fly well', 'Owls, although heavy, fly well.'],
    ['Owls … sleep by day', 'Owls live in old trees and sleep by day.'],
    ['The committee … approved the plan', 'The committee met after long talks and approved the plan.'],
    ['The committee … approved the plan', 'The committee of the city on Monday approved the plan.'],
    ['The committee … approved the plan', 'The committee — five men and a woman — approved the plan.'],
    ['Patients … survived', 'Patients treated with aspirin for two years survived for long.'],
    ['a law … of the senate', 'It is a law under No. 5 of the senate.'],
    ['Die Eule … schläft am Tag', 'Die Eule im Wald der Stadt schläft am Tag.'],
    ['Le hibou … dort le jour', 'Le hibou de la forêt et du pré dort le jour.'],
    ['猫头鹰……白天睡觉', '猫头鹰，尤其是林中的，白天睡觉。'],
    ['猫头鹰……白天睡觉', '猫头鹰住在非常老的树里，白天睡觉。'],
    ['Sales rose … by 5 percent', 'Sales rose in the second quarter of 2020 by 5 percent.'],
    ['Acme earned … 5 million euros', 'Acme earned in 2020 a total of 5 million euros.'],
    ['The bridge … was closed in 2019', 'The bridge of 1893, which is 12 m long, was closed in 2019.'],
    ['The share … was 5 percent', 'The share in Bern (3 of 60) was 5 percent.'],
    ['It fell … to 5 percent', 'It fell from 9 percent to 5 percent.'],
    ['It was tested in 40 … patients', 'It was tested in 40 older patients.'],
    ['… owls … sleep', 'All owls of the wood sleep.'],
  ])('are found if only a part was omitted: %j', async (words, text) => {
    expect(await isFound(words, text)).toBe(true);
  });

  it('are also searched for at later places', async () => {
    const text = 'The drug was not safe. The drug of 5 mg is safe.';
    expect(await isFound('The drug … safe', text)).toBe(true);
  });
});
