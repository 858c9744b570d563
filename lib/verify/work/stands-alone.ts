/** What a sentence may begin with before its subject. */
export const OPENING =
  /^(?:(?:however|moreover|furthermore|in addition|additionally|also|thus|therefore|hence|consequently|in fact|indeed|for (?:example|instance)|finally|likewise|and|but)\b,?\s*|so,\s*|(?:此外|因此|然而|同时|另外|首先|其次|而且|例如|所以)[，,]?)/iu;
const PREPOSITION =
  'in|at|on|by|since|until|during|after|before|for|from|of|among|within|between|under|over|with|without|to|as|when|while|where|once|although|though|because|if';
/** `In 2020`, `In May 2020`. */
const TIME = new RegExp(String.raw`^(?:${PREPOSITION})\s(?:\p{L}+\s)?\d{4},?\s|^\d{4}年[，,]?`, 'iu');

const ADVERBIAL = new RegExp(String.raw`^(?:${PREPOSITION})\s[^,]{1,100},\s*`, 'iu');

/** The writer isn't known outside of the document. */
const FIRST_PERSON =
  /(?<![\p{L}\p{N}])(?:we|our|ours|ourselves|my|myself|us)(?!\p{L})|(?:^|[,;]\s)I\s|我|咱|笔者|作者|本(?=文|研究|公司|行|院|校|所|组|集团|报告|项目|课题|国|市|省|试验|实验|中心|单位|机构|社|店|团队)/u;
const CAPITAL_FIRST_PERSON = /^(?:We|Our|Ours|My)\s/;
const POINTS = /(?<!\p{L})(?:this|these|those|aforementioned)(?!\p{L})|上述|以上|该|这|那|前者|后者|两者/iu;
const STARTS_DEFINITE = new RegExp(
  String.raw`^(?:(?:${PREPOSITION})\s)?(?:the|its?|he|his|she|her|they|their|that|such|one|ones|another|others|both|either|neither|each|none|nobody|everybody|everyone|someone|nothing|everything|same|there|here|then|last|next|today|yesterday|tomorrow|now|later|afterwards|earlier|meanwhile|previously|recently|subsequently|who|which|whose|what|you|your)(?!\p{L})`,
  'iu',
);
/** `The capital of France`. */
const OF_NAME = /^the \p{Ll}+ of (?:the )?\p{Lu}/u;
const HAN_REFERS = /^(?:其|它|他|她|此|同|双方|对方)/u;

/** Without a name, it's some of what the document is about. */
const COUNTED =
  /^(?:\d|(?:an?|no|some|any|all|most|many|few|several|half|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|dozens|hundreds|thousands|about|around|nearly|almost|approximately|only|just|more|less|fewer|at least|at most|over|up to|every|other|certain)(?!\p{L}))/iu;
/** The same: these always belong to something. */
const BELONGS =
  /^(?:\p{L}+\s){0,2}(?:revenues?|sales|profits?|turnover|income|earnings|costs|expenses|assets|shares|staff|employees|members|customers|patients|participants|respondents|volunteers|students|users|mortality|survival|results|findings|samples|admission)(?!\p{L})/iu;
const HAN_BELONGS =
  /^(?:(?:净|总|年|全部|所有|共|约|有)?\d*[名个家]?)(?:公司|银行|企业|集团|医院|学校|机构|研究|试验|实验|患者|受试者|参与者|志愿者|员工|用户|营业额|营收|收入|利润|成本|费用|结果|药物|样本|两组|对照组|实验组|试验组|治疗组)/u;
const NAME =
  /(?<=\S\s)(?!(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|I)(?!\p{L}))\p{Lu}[\p{L}\p{N}]*/u;

/** Whether a sentence's writer speaks of themselves. */
export function isFirstPerson(claim: string): boolean {
  return CAPITAL_FIRST_PERSON.test(claim) || FIRST_PERSON.test(claim);
}

/**
 * Whether a sentence is about the same wherever it is. `We`, `the bank`, `both drugs`, and `40 patients` are others in each document.
 */
export function standsAlone(claim: string): boolean {
  const bare = claim.replace(OPENING, '').trim();
  if (isFirstPerson(bare) || POINTS.test(bare)) return false;
  const subject = bare.replace(TIME, '').replace(ADVERBIAL, '');
  return !startsWithin(bare) && !startsWithin(subject);
}

/** Whether a text begins with something that depends on its document. */
function startsWithin(text: string): boolean {
  if (OF_NAME.test(text.charAt(0).toLowerCase() + text.slice(1))) return false;
  if (STARTS_DEFINITE.test(text) || HAN_REFERS.test(text) || HAN_BELONGS.test(text)) return true;
  return (COUNTED.test(text) || BELONGS.test(text)) && !NAME.test(text);
}
