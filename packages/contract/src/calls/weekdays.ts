/** The days of a week on the wire, Monday first. */
export const WEEKDAYS = ['segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado', 'domingo'] as const
export type Weekday = (typeof WEEKDAYS)[number]
