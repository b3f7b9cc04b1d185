import { hourText } from '../../lib/text/relative-time.ts'

/**
 * Returns 'Bom dia' from 5 to 12 h in Brasília, 'Boa tarde' until 18 h, else 'Boa noite', with the
 * first name.
 */
export const greeting = (name: string, now: number): string => {
  const hour = Number.parseInt(hourText(now), 10)
  const words = hour >= 5 && hour < 12 ? 'Bom dia' : hour >= 12 && hour < 18 ? 'Boa tarde' : 'Boa noite'
  const first = name.trim().split(/\s+/)[0]
  return first ? `${words}, ${first}` : words
}
