/** Parses a Brazilian date (31/05/2024, 1/5/24) to yyyy-mm-dd; undefined when invalid. */
export function readDate(text: string): string | undefined {
  const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text.trim())
  if (!match) return undefined
  const [, day = '', month = '', given = ''] = match
  const year = given.length === 2 ? `20${given}` : given
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const real = new Date(`${date}T00:00:00Z`)
  // `Date` would turn the 31st of a shorter month into the 1st of the next.
  return !Number.isNaN(real.getTime()) && real.toISOString().startsWith(date) ? date : undefined
}

export const writeDate = (date: string) => date.slice(0, 10).split('-').toReversed().join('/')
