import { type Alert, type DataSchedule, type Subscription, WEEKDAYS } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { lastDue, nextDue, type Schedule } from '../../connections/capacities/capacity-schedule.ts'
import { lastRefreshDue, RefreshScheduleAnswer } from '../../connections/power-bi/refresh-schedule.ts'
import { nextRun, readSchedule } from './recurrence.ts'

type TimeOf = (now: Date) => Date | null | undefined

const subscription = (fields: Partial<Subscription> = {}): TimeOf => {
  const daily = { frequencia: 'DIARIA', horario: '07:30', diaSemana: null, diaMes: null } as const
  return (now) => nextRun({ ...daily, fuso: 'America/Sao_Paulo', ...fields }, now)
}
const alert = (fields: Partial<Alert> = {}): TimeOf => {
  const daily = { frequencia: 'DIARIA', horario: '07:30', fuso: 'America/Sao_Paulo' } as const
  return (now) => nextRun({ ...daily, ...fields }, now)
}
const data = (fields: Partial<DataSchedule> = {}): TimeOf => {
  const daily = { frequencia: 'DIA', horario: '07:30' } as const
  return (now) => nextRun({ ...daily, ...fields }, now)
}
const capacity = (fields: Partial<Schedule> = {}): TimeOf => {
  const days: Schedule['diasAgenda'] = ['segunda', 'terca', 'quarta', 'quinta', 'sexta']
  const start = { iniciaAs: '07:30', pausaAs: null, feriados: [], tamanhoInicio: null, tamanhoFim: null }
  return (now) => nextDue({ diasAgenda: days, ...start, ...fields }, now)?.em
}
const backup =
  (text = '07:30', zone = 'America/Sao_Paulo'): TimeOf =>
  (now) =>
    readSchedule(text, zone).next(now)

const working = { frequencia: 'DIAS_UTEIS' } as const
const first = { frequencia: 'MENSAL', diaMes: 'PRIMEIRO_UTIL' } as const
const last = { frequencia: 'MENSAL', diaMes: 'ULTIMO_UTIL' } as const
const holidays = Array.from({ length: 12 }, (_, day) => `2026-12-${20 + day}`)
const gap = { horario: '02:30', fuso: 'America/New_York' }
const twice = { horario: '01:30', fuso: 'America/New_York' }

// São Paulo is three hours behind UTC.
test.each<[string, Record<string, TimeOf>, string, string]>([
  [
    'later on the day',
    { subscription: subscription(), alert: alert(), data: data(), capacity: capacity(), backup: backup() },
    '2026-03-10T10:29:59.999Z',
    '2026-03-10T10:30:00.000Z',
  ],
  [
    'on the next day, at the moment of a run',
    { subscription: subscription(), alert: alert(), data: data(), capacity: capacity(), backup: backup() },
    '2026-03-10T10:30:00.000Z',
    '2026-03-11T10:30:00.000Z',
  ],
  [
    'in its time zone',
    {
      subscription: subscription({ fuso: 'America/Manaus' }),
      alert: alert({ fuso: 'America/Manaus' }),
      backup: backup('7:30', 'America/Manaus'),
    },
    '2026-03-10T11:00:00Z',
    '2026-03-10T11:30:00.000Z',
  ],
  [
    'at the full hour',
    { alert: alert({ frequencia: 'HORA', horario: null }), backup: backup('0 * * * *') },
    '2026-03-10T11:30:00Z',
    '2026-03-10T12:00:00.000Z',
  ],
  [
    'at the minutes of each hour',
    { data: data({ frequencia: 'HORA' }), backup: backup('30 * * * *') },
    '2026-03-10T11:30:00Z',
    '2026-03-10T12:30:00.000Z',
  ],
  [
    'on Monday after a Friday',
    {
      subscription: subscription(working),
      alert: alert(working),
      capacity: capacity(),
      backup: backup('30 7 * * 1-5'),
    },
    '2026-03-13T12:00:00Z',
    '2026-03-16T10:30:00.000Z',
  ],
  [
    'on Good Friday and other holidays, which count as working days',
    { subscription: subscription(working), alert: alert(working), capacity: capacity() },
    '2026-04-02T12:00:00Z',
    '2026-04-03T10:30:00.000Z',
  ],
  [
    'after the holidays that it names, more in a row than a week has days',
    { capacity: capacity({ feriados: [...holidays, '2027-01-01'] }) },
    '2026-12-20T12:00:00Z',
    '2027-01-04T10:30:00.000Z',
  ],
  [
    'on Sunday',
    {
      subscription: subscription({ frequencia: 'SEMANAL', diaSemana: 'domingo' }),
      capacity: capacity({ diasAgenda: ['domingo'] }),
      backup: backup('30 7 * * 0'),
    },
    '2026-03-10T12:00:00Z',
    '2026-03-15T10:30:00.000Z',
  ],
  [
    'on the first working day of the month, a Monday',
    { subscription: subscription(first) },
    '2026-07-02T12:00:00Z',
    '2026-08-03T10:30:00.000Z',
  ],
  [
    'on the first working day of the month, the 1st',
    { subscription: subscription(first) },
    '2026-06-30T12:00:00Z',
    '2026-07-01T10:30:00.000Z',
  ],
  [
    'on the last working day of the month, a Friday',
    { subscription: subscription(last) },
    '2026-05-02T12:00:00Z',
    '2026-05-29T10:30:00.000Z',
  ],
  [
    'on the last working day of a February',
    { subscription: subscription(last) },
    '2028-01-31T12:00:00Z',
    '2028-02-29T10:30:00.000Z',
  ],
  [
    'at the month’s end of its time zone',
    { subscription: subscription({ ...last, horario: '22:00' }) },
    '2026-06-30T20:00:00Z',
    '2026-07-01T01:00:00.000Z',
  ],
  [
    'at the first time after the gap, when clocks go forward',
    { subscription: subscription(gap), alert: alert(gap), backup: backup('02:30', gap.fuso) },
    '2026-03-08T06:59:00Z',
    '2026-03-08T07:00:00.000Z',
  ],
  [
    'once, when clocks go back',
    { subscription: subscription(twice), alert: alert(twice), backup: backup('01:30', twice.fuso) },
    '2026-11-01T05:30:00Z',
    '2026-11-02T06:30:00.000Z',
  ],
  [
    'in the hour that is twice, when it is hourly',
    {
      alert: alert({ ...twice, frequencia: 'HORA', horario: null }),
      backup: backup('0 * * * *', twice.fuso),
    },
    '2026-11-01T05:00:00Z',
    '2026-11-01T06:00:00.000Z',
  ],
])('a recurrence runs next %s', (_, siblings, now, expected) => {
  for (const [sibling, timeOf] of Object.entries(siblings))
    expect([sibling, timeOf(new Date(now))?.toISOString()]).toEqual([sibling, expected])
})

test('a recurrence after each refresh of the data has no time', () => {
  expect(subscription({ frequencia: 'ATUALIZACAO', horario: null })(new Date())).toBeNull()
  expect(alert({ frequencia: 'ATUALIZACAO', horario: null })(new Date())).toBeNull()
})

const lastBackup =
  (text = '08:00', zone = 'America/Sao_Paulo'): TimeOf =>
  (now) =>
    readSchedule(text, zone).last(now)
const lastStart: TimeOf = (now) => {
  const start = { iniciaAs: '08:00', pausaAs: null, feriados: [], tamanhoInicio: null, tamanhoFim: null }
  return lastDue({ diasAgenda: [...WEEKDAYS], ...start }, now)?.em
}
const refreshed = (fields: object = {}): TimeOf => {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  const answer = { enabled: true, days, times: ['08:00'], localTimeZoneId: 'E. South America Standard Time' }
  return (now) => lastRefreshDue(RefreshScheduleAnswer.parse({ ...answer, ...fields }), now)
}

test.each<[string, Record<string, TimeOf>, string, string | undefined]>([
  [
    'at this moment',
    { backup: lastBackup(), capacity: lastStart, dataset: refreshed() },
    '2026-11-18T11:00:00.000Z',
    '2026-11-18T11:00:00.000Z',
  ],
  [
    'a day ago, half a second before it is due again',
    { backup: lastBackup(), capacity: lastStart, dataset: refreshed() },
    '2026-11-18T10:59:59.500Z',
    '2026-11-17T11:00:00.000Z',
  ],
  [
    'at the latest of several times',
    { backup: lastBackup('30 */6 * * *', 'UTC'), dataset: refreshed({ times: ['09:30', '06:00', '20:00'] }) },
    '2026-11-18T17:00:00Z',
    '2026-11-18T12:30:00.000Z',
  ],
  [
    'on its last weekday',
    { backup: lastBackup('0 8 * * 1'), dataset: refreshed({ days: ['Monday'] }) },
    '2026-11-18T17:00:00Z',
    '2026-11-16T11:00:00.000Z',
  ],
  [
    'at the first time after the gap, when clocks go forward',
    { backup: lastBackup('02:30', 'America/New_York') },
    '2026-03-08T12:00:00Z',
    '2026-03-08T07:00:00.000Z',
  ],
  [
    'at the first of two times, when clocks go back',
    { backup: lastBackup('01:30', 'America/New_York') },
    '2026-11-01T12:00:00Z',
    '2026-11-01T05:30:00.000Z',
  ],
  ['never, when it is off', { dataset: refreshed({ enabled: false }) }, '2026-11-18T17:00:00Z', undefined],
  ['never, without days', { dataset: refreshed({ days: [] }) }, '2026-11-18T17:00:00Z', undefined],
  [
    'at an unknown time, in an unknown time zone',
    { dataset: refreshed({ localTimeZoneId: 'Tonga Standard Time' }) },
    '2026-11-18T17:00:00Z',
    undefined,
  ],
])('a recurrence was last due %s', (_, siblings, now, expected) => {
  for (const [sibling, timeOf] of Object.entries(siblings))
    expect([sibling, timeOf(new Date(now))?.toISOString()]).toEqual([sibling, expected])
})

test.each(['25:00', '3', 'todo dia', '0 0 3 * * *', '0 3 31 2 *'])('readSchedule refuses %j', (text) => {
  expect(() => readSchedule(text, 'UTC')).toThrow(Error)
})

test('readSchedule refuses an unknown time zone', () => {
  expect(() => readSchedule('03:00', 'America/Lugar_Nenhum')).toThrow(Error)
})
