type Pair = [sentence: string, quote: string];

/** Sentences that mean the same as their quote, with a double negation on one side. */
export const DENIED_TWICE: Pair[] = [
  [
    'The new water pump in the northern factory does not lack spare parts.',
    'The new water pump in the northern factory has spare parts.',
  ],
  [
    'The new water pump in the northern factory has spare parts.',
    'The new water pump in the northern factory does not lack spare parts.',
  ],
  [
    'Nobody doubts that the new water pump in the northern factory works.',
    'The new water pump in the northern factory works.',
  ],
  [
    'The new water pump in the northern factory works.',
    'Nobody doubts that the new water pump in the northern factory works.',
  ],
  [
    'The new water pump in the northern factory works.',
    'It cannot be denied that the new water pump in the northern factory works.',
  ],
  [
    'The new water pump in the northern factory works.',
    'We cannot deny that the new water pump in the northern factory works.',
  ],
  [
    'It is false that the new water pump in the northern factory does not work.',
    'The new water pump in the northern factory works.',
  ],
  [
    'The new water pump in the northern factory works.',
    'It is false that the new water pump in the northern factory does not work.',
  ],
  [
    'The new water pump in the northern factory works.',
    'It is a myth that the new water pump in the northern factory does not work.',
  ],
  [
    'The new water pump in the northern factory has faults.',
    'The new water pump in the northern factory is not free of faults.',
  ],
  [
    'No member of the northern committee failed to sign the final budget.',
    'Every member of the northern committee signed the final budget.',
  ],
  [
    'Every member of the northern committee signed the final budget.',
    'No member of the northern committee failed to sign the final budget.',
  ],
  [
    'Every member of the northern committee signed the final budget.',
    'There was no member of the northern committee who did not sign the final budget.',
  ],
  [
    'All members of the committee signed the final budget.',
    'No members of the committee did not sign the final budget.',
  ],
];

/** Opinions of others, and statements that the quote calls false or leaves open, contradict nothing. */
export const SAID_BY_OTHERS: Pair[] = [
  [
    'Raw garlic juice does not cure late lung cancer in adults.',
    'Many believe that raw garlic juice cures late lung cancer in adults.',
  ],
  [
    'Raw garlic juice does not cure late lung cancer in adults.',
    'It is often claimed that raw garlic juice cures late lung cancer in adults.',
  ],
  [
    'Raw garlic juice does not cure late lung cancer in adults.',
    'It is a myth that raw garlic juice cures late lung cancer in adults.',
  ],
  [
    'Raw garlic juice does not cure late lung cancer in adults.',
    'Myth: Raw garlic juice cures late lung cancer in adults.',
  ],
  [
    'Raw garlic juice does not cure late lung cancer in adults.',
    'The idea that raw garlic juice cures late lung cancer in adults is wrong.',
  ],
  [
    'Raw garlic juice does not cure late lung cancer in adults.',
    'The seller said raw garlic juice cures late lung cancer in adults.',
  ],
  [
    'Raw garlic juice cures late lung cancer in adults.',
    'Opponents insist that raw garlic juice does not cure late lung cancer in adults.',
  ],
  ['The vote was 5 to 10.', 'Rumor has it that the vote was 10 to 5.'],
];

/** Questions contradict nothing either. */
export const ASKED: Pair[] = [
  [
    'Raw garlic juice does not cure late lung cancer in adults.',
    'Does raw garlic juice cure late lung cancer in adults?',
  ],
  ['Beta acquired Acme.', 'Acme acquired Beta?'],
  [
    'Raw garlic juice cures late lung cancer in adults.',
    'Why does raw garlic juice not cure late lung cancer in adults?',
  ],
  ['Aspirin does not reduce mortality.', 'Does aspirin reduce mortality?'],
  ['Aspirin reduces mortality.', 'Does aspirin not reduce mortality?'],
  ['The bank was not closed.', 'Was the bank closed?'],
  ['All birds can fly.', 'Can no birds fly?'],
  ['The trial enrolled 5 women and 3 men.', 'Did the trial enroll 3 women and 5 men?'],
  ['The score was 5 of 10.', 'Was the score 10 of 5?'],
];

/** The same comparison from the other side. */
export const CONVERSE: Pair[] = [
  [
    'The old public museum in Bern opened many years before the old public museum in Basel.',
    'The old public museum in Basel opened many years after the old public museum in Bern.',
  ],
  ['Acme gained 5 points more than Beta.', 'Beta gained 5 points less than Acme.'],
  ['北京比上海高 5 度。', '上海比北京低 5 度。'],
  ['甲产品的价格比乙产品高 20 元。', '乙产品的价格比甲产品低 20 元。'],
  ['2020 年的收入比 2019 年多 5 万元。', '2019 年的收入比 2020 年少 5 万元。'],
  ['收入不低于 5 万元。', '收入高于或等于 5 万元。'],
  ['Rates in men are 5 points higher than in women.', 'Rates in women are 5 points lower than in men.'],
  ['Model A is 3 times faster than model B.', 'Model B is 3 times slower than model A.'],
  ['Anna is 5 years older than Ben.', 'Ben is 5 years younger than Anna.'],
  ['Oslo is 4 °C colder than Rome.', 'Rome is 4 °C warmer than Oslo.'],
];

/** Contradictions that are certain. */
export const STILL_CONTRADICTED: Pair[] = [
  [
    'The new vaccine does not prevent severe infections in older adults.',
    'The new vaccine prevents severe infections in older adults.',
  ],
  [
    'The committee did not reject the budget for the northern schools.',
    'The committee rejected the budget for the northern schools.',
  ],
  [
    'The new water pump in the northern factory does not work.',
    'The new water pump in the northern factory works.',
  ],
  [
    'Raw garlic juice cures late lung cancer in adults.',
    'Raw garlic juice does not cure late lung cancer in adults.',
  ],
  [
    'All members of the committee signed the final budget.',
    'No members of the committee signed the final budget.',
  ],
  ['The vote was 5 to 10.', 'The vote was 10 to 5.'],
  ['甲产品的价格比乙产品高 20 元。', '甲产品的价格比乙产品低 20 元。'],
];

/** The quote asks about the sentence's statement, or calls it false. */
export const DISOWNED: Pair[] = [
  ['Bats see in full darkness.', 'Anna Lee asked them, "Do bats see in full darkness?"'],
  ['Bats are blind animals.', 'Bats are blind animals? Nonsense.'],
  ['Bats are blind animals.', 'Bats are blind animals – a myth.'],
  ['The plan costs 5 million euros.', 'The mayor claimed falsely that the plan costs 5 million euros.'],
  ['The plan costs 5 million euros.', 'The plan costs 5 million euros. This number is incorrect.'],
  ['喝醋可以软化血管。', '“喝醋可以软化血管”是伪科学。'],
  ['喝醋可以软化血管。', '喝醋可以软化血管？不可以。'],
  ['Owls are blind by day.', 'It is a myth that owls are blind by day.'],
  ['Owls are blind by day.', 'Myth: Owls are blind by day.'],
  ['Owls are blind by day.', 'The claim that owls are blind by day is false.'],
  ['Owls are blind by day.', 'It is false that owls are blind by day.'],
  ['Owls are blind by day.', 'It is not true that owls are blind by day.'],
  ['Owls are blind by day.', 'Owls are blind by day. This is a myth.'],
  ['Owls are blind by day.', 'The following is wrong: Owls are blind by day.'],
  ['Owls are blind by day.', 'Nobody has shown that owls are blind by day.'],
  ['Owls are blind by day.', 'Are owls blind by day?'],
  ['Owls are not blind by day.', 'It is a myth that owls are not blind by day.'],
  ['猫头鹰白天看不见。', '误区：猫头鹰白天看不见。'],
  ['猫头鹰白天看不见。', '谣言：猫头鹰白天看不见。'],
  ['猫头鹰白天看不见。', '猫头鹰白天看不见，这种说法是错误的。'],
  ['猫头鹰白天看不见。', '认为猫头鹰白天看不见是错误的。'],
  ['大蒜能治愈癌症。', '大蒜能治愈癌症吗？'],
  ['大蒜能治愈癌症。', '有一种谣言说大蒜能治愈癌症。'],
];

/** The quote states it, or the sentence says the same as the quote. */
export const OWNED: Pair[] = [
  [
    'Anna Lee is the education secretary.',
    'Anna Lee, the education secretary, asked under the heading "Who reads?"',
  ],
  [
    'The clock was wrong by 5 minutes.',
    'The clock was wrong by 5 minutes. It is false economy to repair it.',
  ],
  ['The wrong part was sent to the plant in May.', 'In May, the wrong part was sent to the plant.'],
  ['误差为5%。', '误差为5%。这与上次的错误率不同。'],
  ['Napoleon was of average height.', 'Contrary to popular myth, Napoleon was of average height.'],
  ['Owls see well by day.', 'It is a myth that owls are blind by day. Owls see well by day.'],
  ['Owls are blind by day.', 'Are owls blind by day? Yes, owls are blind by day.'],
  ['The test had 5 false positives in Bern.', 'In Bern the test had 5 false positives.'],
  ['It is a myth that owls are blind by day.', 'It is a myth that owls are blind by day.'],
];
