import { type ApiKey, type KeyGroup, keyGroupTexts } from '@bi-manager/contract'
import { dayText, relativeTime } from '../../lib/text/relative-time.ts'

const dayMs = 86_400_000
/** Days before the end at which a key is marked. */
const soonDays = 7

/** Returns 'Vence em 31/12/2026' or 'Venceu em 31/12/2026', and whether it deserves attention. */
export const expiryOf = (expiraEm: string, now: number): { text: string; isUrgent: boolean } => {
  const left = Date.parse(expiraEm) - now
  return {
    text: `${left > 0 ? 'Vence' : 'Venceu'} em ${dayText(expiraEm)}`,
    isUrgent: left < soonDays * dayMs,
  }
}

/** Returns 'Usada há 5 min, de 192.0.2.7'. */
export const usedText = ({ usadaEm, usadaDe }: Pick<ApiKey, 'usadaEm' | 'usadaDe'>, now: number): string => {
  if (!usadaEm) return 'Nunca usada'
  return `Usada ${relativeTime(usadaEm, now)}${usadaDe ? `, de ${usadaDe}` : ''}`
}

export const groupTitles = (groups: readonly KeyGroup[]): string =>
  groups.map((group) => keyGroupTexts[group].title).join(', ')

/** Returns the day on which a key of so many days ends. */
export const endOfKey = (days: number, now: number): string => dayText(now + days * dayMs)
