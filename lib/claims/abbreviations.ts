/** Short forms of countries and unions, each with its other names; a closed list, because most two letters mean more. */
const NAMES: Record<string, string> = {
  'United States':
    'U\\.S\\.A\\.|U\\.S\\.A|USA|U\\.S\\.|U\\.S|US(?!\\$| dollars?)|United States of America|EE\\. ?UU\\.|EEUU|Estados Unidos|États-Unis|Etats-Unis|Vereinigten? Staaten|Stati Uniti|Verenigde Staten',
  'United Kingdom':
    'U\\.K\\.|U\\.K|UK|Vereinigte[ns]? Königreichs?|Großbritannien|Royaume-Uni|Reino Unido|Regno Unito|Verenigd Koninkrijk',
  'European Union':
    'E\\.U\\.|EU|UE|Europäischen? Union|Union [Ee]uropéenne|Unión Europea|União Europeia|Unione [Ee]uropea|Europese Unie',
  'United Nations':
    'U\\.N\\.|UN|ONU|Vereinten? Nationen|Nations [Uu]nies|Naciones Unidas|Nações Unidas|Nazioni Unite|Verenigde Naties',
  'United Arab Emirates': 'U\\.A\\.E\\.|UAE|EAU|VAE',
  'Soviet Union': 'U\\.S\\.S\\.R\\.|USSR|UdSSR|URSS|Union soviétique|Unión Soviética',
  美国: '美利坚合众国|美利堅合眾國',
  中国: '中华人民共和国|中華人民共和國',
  英国: '大不列颠及北爱尔兰联合王国|联合王国',
  欧盟: '欧洲联盟|歐洲聯盟',
};
const FORMS = Object.entries(NAMES).map(
  ([name, forms]) =>
    [
      name,
      new RegExp(`(?<![\\p{Script=Latin}\\p{N}.@/_-])(?:${forms})(?![\\p{Script=Latin}\\p{N}@_-])`, 'gu'),
    ] as const,
);

/** A text with one name for each country of the list. The point of a short form may end the sentence. */
export function spellOutCountries(text: string): string {
  return FORMS.reduce(
    (spelled, [name, form]) =>
      spelled.replace(form, (found, at: number, whole: string) =>
        found.endsWith('.') &&
        /^(?:\s+\p{Lu}|\s*$)/u.test(whole.slice(at + found.length, at + found.length + 9))
          ? `${name}.`
          : name,
      ),
    text,
  );
}
