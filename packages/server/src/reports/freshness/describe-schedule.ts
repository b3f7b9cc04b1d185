import { ownValue, type RefreshSchedule, WEEKDAYS } from '@bi-manager/contract'
import type { ReadSchedule } from '../../connections/index.ts'

/** Returns the schedule of a dataset for the screen. */
export const describeSchedule = ({ isEnabled, days, times, timeZone }: ReadSchedule): RefreshSchedule => ({
  ativa: isEnabled,
  dias: WEEKDAYS.filter((_, index) => days.includes(englishDays[index] ?? '')),
  horarios: times,
  fuso: ownValue(zones, timeZone) ?? timeZone,
})

const englishDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Brazil's time zones; others keep their name. */
const zones: Record<string, string> = {
  'E. South America Standard Time': 'horário de Brasília',
  'SA Eastern Standard Time': 'horário de Fortaleza e Belém',
  'Bahia Standard Time': 'horário de Salvador',
  'Tocantins Standard Time': 'horário de Araguaína',
  'Central Brazilian Standard Time': 'horário de Cuiabá',
  'SA Western Standard Time': 'horário de Manaus',
  'SA Pacific Standard Time': 'horário de Rio Branco',
  'UTC-02': 'horário de Fernando de Noronha',
}
