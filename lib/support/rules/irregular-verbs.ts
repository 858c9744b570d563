/**
 * English verbs whose past isn't the base with `ed`, each with its other forms. Omits forms that are common
 * words with another meaning.
 */
const FORMS =
  'arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bid bade|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fling flung|fly flew flown|forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grind ground|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|leap leapt|learn learnt|leave left|lend lent|light lit|lose lost|make made|mean meant|meet met|mistake mistook mistaken|outgrow outgrew outgrown|overcome overcame|overtake overtook overtaken|overthrow overthrew overthrown|pay paid|prove proven|rebuild rebuilt|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|speed sped|spend spent|spin spun|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck stricken|strive strove striven|swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|undergo underwent undergone|understand understood|undertake undertook undertaken|uphold upheld|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn|withhold withheld|withstand withstood|write wrote written';
const BASES = new Map(
  FORMS.split('|').flatMap((verb) => {
    const [base = '', ...others] = verb.split(' ');
    return others.map((form) => [form, base] as const);
  }),
);

/** Returns the base of a verb's past form in lower case: `grow` for `grew`. Other words are returned unchanged. */
export function baseOf(word: string): string {
  return BASES.get(word) ?? word;
}
