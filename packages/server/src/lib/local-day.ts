/** Returns the day of an instant in America/Sao_Paulo, yyyy-mm-dd. */
export const dayOf = (instant: Date): string => isoDay.format(instant)

const isoDay = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' })
