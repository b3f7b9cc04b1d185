/** What people type, and a name that it finds: for the tests of the portal and of the web app. */
export const SEARCH_PAIRS: readonly (readonly [typed: string, name: string])[] = [
  ["d'avila", 'Maria D’Ávila'],
  ['d’avila', "Maria D'Ávila"],
  ['davila', 'Maria D’Ávila'],
  ['d´avila', 'Maria D`Ávila'],
  ['sant’ana', "Hospital Sant'Ana"],
  ['SANTANA', 'Hospital Sant’Ana'],
  ['nguyen thi', 'Nguyễn Thị Hồng'],
  ['Nguyễn', 'NGUYEN THI'],
  ['lukasz', 'Łukasz Żółć'],
  ['zolc', 'Łukasz Żółć'],
  ['soren', 'Søren Ærø'],
  ['aero', 'Søren Ærø'],
  ['dordevic', 'Đorđević'],
  ['strasse', 'Große Straße'],
  ['STRAẞE', 'Grosse Strasse'],
  ['diyarbakir', 'Diyarbakır'],
  ['istanbul', 'İstanbul'],
  ['cœur', 'Coeur de Lion'],
  ['thor', 'Þór Guðmundsson'],
  ['gudmundsson', 'Þór Guðmundsson'],
  ['malta hamrun', 'Ħamrun, Malta'],
  ['operacao', 'Operação 2026'],
  ['OPERAÇÃO', 'operac\u0327a\u0303o'],
  ['1o turno', '1º turno'],
  ['oficina', 'Oﬁcina'],
  ['москва', 'МОСКВА'],
  ['αθηνα', 'ΑΘΉΝΑ'],
  ['οδος', 'ΟΔΟΣ'],
]

/** What people type, and a name that it does not find. */
export const OTHER_NAMES: readonly (readonly [typed: string, name: string])[] = [
  ['lukasz', 'Lucas'],
  ['100%', '1000'],
  ['a_b', 'aXb'],
  ['avila d', 'Santana'],
]

/** What people type, and an e-mail that it finds in either form of its domain. */
export const DOMAIN_PAIRS: readonly (readonly [typed: string, email: string])[] = [
  ['açaí', 'ana@xn--aa-4iaz.com.br'],
  ['ACAI', 'ana@xn--aa-4iaz.com.br'],
  ['aí.com', 'ana@xn--aa-4iaz.com.br'],
  ['ana@açaí.com.br', 'ana@xn--aa-4iaz.com.br'],
  ['ana@xn--aa-4iaz.com.br', 'ana@xn--aa-4iaz.com.br'],
  ['XN--AA-4IAZ', 'ana@xn--aa-4iaz.com.br'],
  ['4iaz.com', 'ana@xn--aa-4iaz.com.br'],
  ['xn--aa-4iaz.com.br', 'ana@açaí.com.br'],
  ['при', 'ana@xn--e1afmkfd.xn--p1ai'],
  ['ПРИМЕР.рф', 'ana@xn--e1afmkfd.xn--p1ai'],
  ['пример.xn--p1ai', 'ana@xn--e1afmkfd.xn--p1ai'],
  ['strasse.de', 'ana@xn--strae-oqa.de'],
  ['saude-publica', 'ana@xn--sade-pblica-5gbe.org.br'],
  ['例え', 'ana@mail.xn--r8jz45g.jp'],
  ['😀', 'ana@xn--e28h.com'],
  ['ana xn--99999999999', 'ana@xn--99999999999.com'],
]

/** What people type, and an e-mail that it does not find. */
export const OTHER_DOMAINS: readonly (readonly [typed: string, email: string])[] = [
  ['açaí', 'ana@acerola.com.br'],
  ['açaí', 'ana@xn--e1afmkfd.xn--p1ai'],
  ['xn--e1afmkfd', 'ana@xn--aa-4iaz.com.br'],
  ['_', 'ana@xn--aa-4iaz.com.br'],
]
