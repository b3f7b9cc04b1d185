import { PORTAL_ZONE } from '@bi-manager/contract'

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
