import { WEEKDAYS } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { durationText, scheduleText } from './refresh-texts.ts'

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3_540, '59 min'],
  [3_600, '1 h'],
  [3_900, '1 h 5 min'],
])('durationText of %i seconds is %s', (seconds, expected) => {
  const inicio = '2025-11-23T10:55:00.000Z'
  const fim = new Date(Date.parse(inicio) + seconds * 1000).toISOString()
  expect(durationText({ inicio, fim })).toBe(expected)
})

test('durationText of a running refresh is a dash', () => {
  expect(durationText({ inicio: '2025-11-23T10:55:00.000Z', fim: null })).toBe('—')
})

const schedule = { ativa: true, dias: [...WEEKDAYS], horarios: ['08:00'], fuso: 'horário de Brasília' }

test('scheduleText names days, times and time zone, or says that there is none', () => {
  expect(scheduleText(schedule)).toBe('Todos os dias, às 08:00 (horário de Brasília).')
  expect(scheduleText({ ...schedule, dias: ['segunda', 'sabado'], horarios: ['08:00', '16:30'] })).toBe(
    'Segunda e sábado, às 08:00 e 16:30 (horário de Brasília).',
  )
  for (const none of [{ ativa: false }, { dias: [] }, { horarios: [] }])
    expect(scheduleText({ ...schedule, ...none })).toMatch(/a agenda está desligada/)
})
