import { brazilianZones, once, PORTAL_ZONE, zoneName } from '@bi-manager/contract'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import type { SelectOption } from '../search-select/select-options.ts'

/** Returns the browser's zone; the portal's where the browser names none that an e-mail can have. */
export const browserZone = (): string => {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone?.includes('/') ? zone : PORTAL_ZONE
}

/** Returns 'Brasília (GMT-3)'. */
export const zoneOption = (zone: string): SelectOption<string> => ({
  value: zone,
  label: offsetOf(zone) ? `${zoneName(zone)} (${offsetOf(zone)})` : zoneName(zone),
  description: zone,
})

const offsetOf = (zone: string): string => {
  try {
    const format = new Intl.DateTimeFormat('pt-BR', { timeZone: zone, timeZoneName: 'shortOffset' })
    return format.formatToParts(serverNow()).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    return ''
  }
}

const zones = once((): string[] => {
  const first = [browserZone(), ...Object.keys(brazilianZones)]
  return [...new Set([...first, ...Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))])]
})

/** Finds zones by city or id; without a text, the browser's and those of Brazil come first. */
export const searchZones = async (text: string): Promise<SelectOption<string>[]> =>
  zones()
    .filter((zone) => matchesSearch(`${zoneName(zone)} ${zone.replaceAll('_', ' ')}`, text))
    .slice(0, 50)
    .map(zoneOption)
