import { zoneName } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { searchZones, zoneOption } from './time-zones.ts'

test.each([
  ['America/Sao_Paulo', 'Brasília'],
  ['America/Cuiaba', 'Cuiabá'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires'],
])('zoneName names %s %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name)
})

test('an option has the offset and the id', () => {
  expect(zoneOption('America/Manaus')).toEqual({
    value: 'America/Manaus',
    label: 'Manaus (GMT-4)',
    description: 'America/Manaus',
  })
})

test('zoneName finds a zone by its city without accents, and by its id', async () => {
  expect((await searchZones('cuiaba')).map(({ value }) => value)).toEqual(['America/Cuiaba'])
  expect((await searchZones('sao paulo')).map(({ value }) => value)).toEqual(['America/Sao_Paulo'])
  expect((await searchZones('lisb')).map(({ value }) => value)).toEqual(['Europe/Lisbon'])
})

test('zoneName lists the zones of Brazil first', async () => {
  const values = (await searchZones('')).map(({ value }) => value)
  expect(values.slice(0, 14)).toContain('America/Manaus')
  expect(values.length).toBeLessThanOrEqual(50)
})
