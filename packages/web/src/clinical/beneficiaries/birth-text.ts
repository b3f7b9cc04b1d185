import { type Beneficiary, dayOf, isoDayOf } from '@bi-manager/contract'
import { serverNow } from '../../lib/clock/server-clock.ts'

const NONE = '—'

/** Returns '10/03/1980 (46 anos)'. */
export const birthText = ({ data_nascimento }: Pick<Beneficiary, 'data_nascimento'>): string => {
  if (!data_nascimento) return NONE
  const age = ageText(data_nascimento)
  return age ? `${data_nascimento} (${age})` : data_nascimento
}

/**
 * Returns '46 anos', '1 ano', '8 meses' or 'menos de
 * 1 mês'; undefined for an invalid or future date.
 * @param birthDate dd/mm/aaaa
 * @param today the day in America/Sao_Paulo, yyyy-mm-dd
 */
export const ageText = (birthDate: string, today: string = dayOf(serverNow())): string | undefined => {
  const born = isoDayOf(birthDate)
  if (!born || born > today) return undefined
  const [bornYear, bornMonth, bornDay] = partsOf(born)
  const [year, month, day] = partsOf(today)
  const months = (year - bornYear) * 12 + month - bornMonth - (day < bornDay ? 1 : 0)
  if (months < 1) return 'menos de 1 mês'
  if (months < 12) return months === 1 ? '1 mês' : `${months} meses`
  const years = Math.floor(months / 12)
  return years === 1 ? '1 ano' : `${years} anos`
}

const partsOf = (iso: string): [year: number, month: number, day: number] => {
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number)
  return [year, month, day]
}
