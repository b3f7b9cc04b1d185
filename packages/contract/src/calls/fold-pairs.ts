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
