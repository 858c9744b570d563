import { stemOf } from './content-words.ts';
import { sentencesIn, without } from './same-words.ts';

export const ASKED = /(?:[?？]|[吗嘛][。.]?)["'”’)\]」』）]*\s*$/u;
/** Someone's opinion, which a text tells. */
const SAID =
  /(?<!\p{L})(?:believ\p{L}+|thinks?|thought|claim(?:s|ed|ing)?|alleg\p{L}+|reportedly|supposedly|argu(?:e[sd]?|ing)|insist\p{L}*|assert\p{L}*|contend\p{L}*|maintain(?:s|ed)?|suspect\p{L}*|speculat\p{L}*|fear(?:s|ed)?|hope[sd]?|expect\p{L}*|predict\p{L}*|assum\p{L}+|suppose[sd]?|sa(?:y|ys|id)|rumou?rs?|legends?|opinions?|so-called)(?!\p{L})|认为|相信|声称|宣称|据说|据称|以为|觉得|主张|传言|传闻|谣传|怀疑|猜测|有人说|说法/iu;
const FALSE =
  /(?<!\p{L})(?:myths?|misconceptions?|fallac(?:y|ies)|hoax(?:es)?|superstitions?|false(?:ly|hoods?)?|untrue|incorrect(?:ly)?|wrong(?:ly)?|mistaken(?:ly)?|erroneous(?:ly)?|debunk\p{L}*|disprov\p{L}+|nonsense|fake)(?!\p{L})|谣言|辟谣|误解|误区|误传|误认|错误|不实|虚假|迷信|假的|并非如此|不(?:对|是真|真实|成立|正确|准确|属实)/iu;
const OPEN =
  /(?<!\p{L})(?:whether|if|unless|hypothe\p{L}+|imagine|(?:no|little) (?:\p{L}+ )?(?:evidence|proof|indications?|signs?) (?:\p{L}+ ){0,3}that|no reasons? (?:why|to))(?!\p{L})|是否|如果|假如|假设|若是|倘若/iu;
/** Words that deny, and those that say the opposite next to one: `does not lack`, `cannot deny`. */
const DENIALS =
  /(?<!\p{L})(?:not(?! only| just| merely)|never|no(?! (?:more|less|fewer|later|longer)(?!\p{L}))|none|nobody|nothing|nowhere|neither|nor|cannot|without|hardly|barely|scarcely|unable|impossible|unlikely|fail(?:s|ed|ing|ures?)?|refus\p{L}+|declin(?:e[sd]?|ing) to|lack(?:s|ed|ing)?|absen(?:t|ce)|free (?:of|from)|stop(?:s|ped)?|ceas(?:e[sd]?|ing)|avoid\p{L}*|prevent\p{L}*|miss(?:es|ed)?|den(?:y|ies|ied|ying)|undeniabl[ey]|doubt(?:s|ed|ful)?|disput(?:e[sd]?|ing)|contest(?:s|ed)?|reject(?:s|ed|ing)?|nicht|kein\p{L}{0,2}|nie(?:mals|mand)?|bezweif\p{L}+|bestreite\p{L}+|pas|jamais|aucune?|nunca|nadie|ningun[oa]|niega\p{L}*|dud[ao]\p{L}*)(?!\p{L})|n['’]t(?!\p{L})|否认|缺乏|缺少|(?<![无毫])不(?!仅|但|只|同|断|过|论|管|[低高大小晚早少多超]于|超过|超出|足|到)|没(?!收)|(?<!南|北)非(?!常|洲)|未(?!来|必)|无(?!论|须|需|锡)/giu;

const STANCES = [ASKED, SAID, FALSE, OPEN];

/** Returns a text of the same length, with blanks for its sentences that mean what they say otherwise than a sentence does. */
export function onlyMeantAs(sentence: string, text: string): string {
  let kept = text;
  let from = 0;
  for (const said of sentencesIn(text)) {
    const start = kept.indexOf(said, from);
    from = start + said.length;
    if (!isMeantAs(sentence, said)) kept = kept.slice(0, start) + ' '.repeat(said.length) + kept.slice(from);
  }
  return kept;
}

/** Whether both ask, tell an opinion, or say something, and neither has two denials more, which may cancel each other. */
function isMeantAs(sentence: string, said: string): boolean {
  if (STANCES.some((form) => form.test(sentence) !== form.test(said))) return false;
  const [own, other] = [denialsOf(sentence), denialsOf(said)];
  return [without(own, other), without(other, own)].every((more) => more.length < 2);
}

function denialsOf(sentence: string): string[] {
  return (sentence.match(DENIALS) ?? []).map((word) => (/^n['’]t$/iu.test(word) ? 'not' : stemOf(word)));
}
