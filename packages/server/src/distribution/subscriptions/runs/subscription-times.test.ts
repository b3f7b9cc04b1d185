import type { Subscription } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { nextRun } from './subscription-times.ts'

const times = (fields: Partial<Subscription>) => ({
  frequencia: 'DIARIA' as const,
  horario: '07:30',
  diaSemana: null,
  diaMes: null,
  fuso: 'America/Sao_Paulo',
  ...fields,
})

test.each<[string, Partial<Subscription>, string, string]>([
  ['later today', {}, '2026-03-10T09:00:00Z', '2026-03-10T10:30:00.000Z'],
  ['tomorrow', {}, '2026-03-10T10:30:00Z', '2026-03-11T10:30:00.000Z'],
  ['in another time zone', { fuso: 'America/Manaus' }, '2026-03-10T11:00:00Z', '2026-03-10T11:30:00.000Z'],
  [
    'on Monday, on a Friday',
    { frequencia: 'DIAS_UTEIS' },
    '2026-03-13T12:00:00Z',
    '2026-03-16T10:30:00.000Z',
  ],
  [
    'on Sunday',
    { frequencia: 'SEMANAL', diaSemana: 'domingo' },
    '2026-03-10T12:00:00Z',
    '2026-03-15T10:30:00.000Z',
  ],
  [
    'on the first working day of the month, a Monday',
    { frequencia: 'MENSAL', diaMes: 'PRIMEIRO_UTIL' },
    '2026-07-02T12:00:00Z',
    '2026-08-03T10:30:00.000Z',
  ],
  [
    'on the last working day of the month, a Friday',
    { frequencia: 'MENSAL', diaMes: 'ULTIMO_UTIL' },
    '2026-05-02T12:00:00Z',
    '2026-05-29T10:30:00.000Z',
  ],
  [
    'at the month’s end of its time zone',
    { frequencia: 'MENSAL', diaMes: 'ULTIMO_UTIL', horario: '22:00' },
    '2026-06-30T20:00:00Z',
    '2026-07-01T01:00:00.000Z',
  ],
  [
    'at the next time that exists when the clocks go forward',
    { fuso: 'Europe/Lisbon', horario: '01:30' },
    '2026-03-28T12:00:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
])('a subscription runs next %s', (_, fields, now, expected) => {
  expect(nextRun(times(fields), new Date(now))?.toISOString()).toBe(expected)
})

test('a subscription has no next run after a refresh', () => {
  expect(nextRun(times({ frequencia: 'ATUALIZACAO', horario: null }), new Date())).toBeUndefined()
})
