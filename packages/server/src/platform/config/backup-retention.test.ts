import { describe, expect, test } from 'vitest'
import { findExpired, readRetention } from './backup-retention.ts'

const at = (...moments: string[]) => moments.map((moment) => ({ at: new Date(moment) }))
const days = (list: { at: Date }[]) => list.map(({ at: moment }) => moment.toISOString().slice(0, 10)).sort()

describe('findExpired', () => {
  test('findExpired keeps the newest backup of each of the last days, weeks, months and years', () => {
    const first = Date.parse('2024-01-01T06:00:00Z')
    const daily = Array.from({ length: 1000 }, (_, n) => ({ at: new Date(first + n * 86_400_000) }))
    const rule = readRetention('3d,2w,3m,2y')
    const expired = new Set(findExpired(daily, rule, 'America/Sao_Paulo'))
    expect(days(daily.filter((backup) => !expired.has(backup)))).toEqual([
      // The year before, two months, a Sunday, three days; the newest is 26 September 2026.
      '2025-12-31',
      '2026-07-31',
      '2026-08-31',
      '2026-09-20',
      '2026-09-24',
      '2026-09-25',
      '2026-09-26',
    ])
  })

  test('findExpired keeps the last of several backups of one day, in the configured time zone', () => {
    const day = at('2026-11-21T02:30:00Z', '2026-11-21T03:30:00Z', '2026-11-21T12:00:00Z')
    const later = at('2026-11-25T12:00:00Z')
    // 02:30 UTC is still 20 November in São Paulo.
    expect(findExpired([...day, ...later], readRetention('3d'), 'America/Sao_Paulo')).toEqual(
      at('2026-11-21T03:30:00Z'),
    )
  })

  test('findExpired keeps every backup of the last 48 hours, so that a copy of damaged data replaces none', () => {
    const recent = at('2026-11-21T03:00:00Z', '2026-11-21T10:00:00Z', '2026-11-23T02:00:00Z')
    expect(findExpired(recent, readRetention('1d'), 'UTC')).toEqual([])
  })

  test('findExpired counts only days with a backup, so that an idle month deletes nothing', () => {
    const backups = at('2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z', '2026-11-21T12:00:00Z')
    expect(findExpired(backups, readRetention('3d'), 'UTC')).toEqual([])
    expect(findExpired(backups, readRetention('2d'), 'UTC')).toEqual(at('2026-01-01T12:00:00Z'))
  })

  test('findExpired deletes nothing from an empty list', () => {
    expect(findExpired([], readRetention('1d'), 'UTC')).toEqual([])
  })
})

test.each(['', '7', 'd', '0d', '7d,,4w', '7 dias', '7d;4w'])('readRetention refuses %j', (text) => {
  expect(() => readRetention(text)).toThrow(Error)
})
