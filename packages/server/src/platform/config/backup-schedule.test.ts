import { describe, expect, test } from 'vitest'
import { readSchedule } from './backup-schedule.ts'

describe('readSchedule', () => {
  test('readSchedule reads a time of day in the configured time zone', () => {
    const { lastDue } = readSchedule('03:00', 'America/Sao_Paulo')
    expect(lastDue(new Date('2026-11-21T05:59:58Z'))).toEqual(new Date('2026-11-20T06:00:00Z'))
    expect(lastDue(new Date('2026-11-21T06:00:00Z'))).toEqual(new Date('2026-11-21T06:00:00Z'))
    expect(lastDue(new Date('2026-11-21T23:00:00Z'))).toEqual(new Date('2026-11-21T06:00:00Z'))
  })

  test('readSchedule reads a cron expression', () => {
    const { lastDue } = readSchedule('30 */6 * * *', 'UTC')
    expect(lastDue(new Date('2026-11-21T17:00:00Z'))).toEqual(new Date('2026-11-21T12:30:00Z'))
  })

  test('readSchedule gives one backup on days of a clock change', () => {
    const { lastDue } = readSchedule('02:30', 'America/New_York')
    // 02:30 does not exist on 8 March 2026; 01:30 exists twice on 1 November.
    expect(lastDue(new Date('2026-03-08T12:00:00Z'))).toEqual(new Date('2026-03-08T07:00:00Z'))
    const twice = readSchedule('01:30', 'America/New_York')
    expect(twice.lastDue(new Date('2026-11-01T12:00:00Z'))).toEqual(new Date('2026-11-01T05:30:00Z'))
  })

  test.each(['25:00', '3', 'todo dia', '0 0 3 * * *', '0 3 31 2 *'])('readSchedule refuses %j', (text) => {
    expect(() => readSchedule(text, 'UTC')).toThrow(Error)
  })

  test('readSchedule refuses an unknown time zone', () => {
    expect(() => readSchedule('03:00', 'America/Lugar_Nenhum')).toThrow(Error)
  })
})
