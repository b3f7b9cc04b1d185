import { ownValue } from './own-value.ts'
import { z } from './zod.ts'

/** The zone of the portal's own times. */
export const PORTAL_ZONE = 'America/Sao_Paulo'

/** Zones of Brazil by the names that Brazilians know them by, most people first. */
export const brazilianZones: Record<string, string> = {
  [PORTAL_ZONE]: 'Brasília',
  'America/Manaus': 'Manaus',
  'America/Cuiaba': 'Cuiabá',
  'America/Campo_Grande': 'Campo Grande',
  'America/Fortaleza': 'Fortaleza',
  'America/Recife': 'Recife',
  'America/Bahia': 'Salvador',
  'America/Belem': 'Belém',
  'America/Maceio': 'Maceió',
  'America/Porto_Velho': 'Porto Velho',
  'America/Boa_Vista': 'Boa Vista',
  'America/Rio_Branco': 'Rio Branco',
  'America/Noronha': 'Fernando de Noronha',
}

/** Returns 'Brasília', or 'Buenos Aires' for a zone elsewhere. */
export const zoneName = (zone: string): string =>
  ownValue(brazilianZones, zone) ?? zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('pt-BR', { timeZone: name }))
  } catch {
    return false
  }
}

/** An IANA name. */
export const TimeZone = z
  .string()
  .max(60, 'Escolha um fuso horário.')
  .regex(/^[A-Za-z][\w+/-]*$/, 'Escolha um fuso horário.')
  .refine(isTimeZone, 'Este fuso horário não existe.')
