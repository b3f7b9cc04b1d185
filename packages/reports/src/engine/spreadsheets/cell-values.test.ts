import { describe, expect, test } from 'vitest'
import { canonicalText, headingText, isoTextCell, numberCell, shownText } from './cell-values.ts'
import { formatOf } from './number-formats.ts'

const written = (value: number, code: string, is1904 = false) => {
  const cell = numberCell(value, formatOf(164, code), is1904)
  return typeof cell === 'string' ? cell : canonicalText(cell)
}
const shown = (value: number, code: string) => {
  const cell = numberCell(value, formatOf(164, code), false)
  return typeof cell === 'string' ? cell : shownText(cell)
}
const two = (value: number) => String(value).padStart(2, '0')

describe('numberCell', () => {
  test('numberCell keeps every minute of four days, in each way that programs store it', () => {
    const lost: string[] = []
    for (const day of [46_086, 46_087, 36_526, 61]) {
      const iso = new Date(Date.UTC(1899, 11, 30) + day * 86_400_000).toISOString().slice(0, 10)
      for (let minute = 0; minute < 1_439; minute++) {
        const time = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
        const exact = day + minute / 1_440
        // Excel keeps 15 digits; some libraries add hours and minutes as fractions.
        const stored = [
          exact,
          Number(exact.toPrecision(15)),
          day + Math.floor(minute / 60) / 24 + (minute % 60) / 1_440,
        ]
        for (const value of stored)
          if (written(value, 'dd/mm/yyyy hh:mm') !== `${iso} ${time}:00`) lost.push(`${iso} ${time}`)
        if (written(minute / 1_440, 'hh:mm') !== time) lost.push(time)
      }
    }
    expect(lost).toEqual([])
  })

  test('numberCell counts days like spreadsheets, from 1900 and from 1904', () => {
    const days = [1, 59, 61, 46_086].map((serial) => written(serial, 'dd/mm/yyyy'))
    expect(days).toEqual(['1900-01-01', '1900-02-28', '1900-03-01', '2026-03-05'])
    // 1900 had no 29 February, though the sheet shows it.
    expect(written(60, 'dd/mm/yyyy')).toBe('29/02/1900')
    const from1904 = [0, 44_624, 44_624.5].map((serial) => written(serial, 'dd/mm/yyyy hh:mm', true))
    expect(from1904).toEqual(['1904-01-01 00:00:00', '2026-03-05 00:00:00', '2026-03-05 12:00:00'])
  })

  test('numberCell leaves out what the sheet shows as no date', () => {
    const gaps = [-1, 0, 0.5, 2_958_466, 1e300].map((serial) => written(serial, 'dd/mm/yyyy'))
    expect(gaps).toEqual(['nodate', 'nodate', 'nodate', 'nodate', 'nodate'])
    expect(written(2_958_465, 'dd/mm/yyyy')).toBe('9999-12-31')
  })

  test('numberCell tells a date, a midnight and a time by the format', () => {
    expect(written(46_086, 'dd/mm/yyyy')).toBe('2026-03-05')
    expect(written(46_086, 'dd/mm/yyyy hh:mm')).toBe('2026-03-05 00:00:00')
    expect(written(46_086.75, 'dd/mm/yyyy')).toBe('2026-03-05 18:00:00')
    expect(written(0.75, 'hh:mm')).toBe('18:00')
    expect(written(0.75 + 1 / 86_400, 'hh:mm')).toBe('18:00:01')
    expect(written(1.75, 'hh:mm')).toBe('18:00')
    expect(written(46_086.75, 'hh:mm')).toBe('2026-03-05 18:00:00')
    expect(written(46_086.5 + 0.25 / 86_400, 'dd/mm/yyyy hh:mm:ss.000')).toBe('2026-03-05 12:00:00.250')
  })

  test('numberCell makes hours of durations', () => {
    const hours = [1 / 3, 1.5, -0.25, 100, 8.55 / 24].map((days) => written(days, '[h]:mm'))
    expect(hours).toEqual(['8', '36', '-6', '2400', '8.55'])
    expect([1 / 3, 1.5, -0.25].map((days) => shown(days, '[h]:mm'))).toEqual(['8:00', '36:00', '-6:00'])
  })

  test('numberCell shows amounts with all of their digits, as in Brazil', () => {
    expect(shown(1234.567, '#,##0.00')).toBe('1234,567')
    expect(shown(1234.5, '"R$" #,##0.00')).toBe('R$ 1234,5')
    expect(shown(0.07, '0%')).toBe('7%')
    expect(shown(46_086.5, 'dd/mm/yyyy hh:mm')).toBe('05/03/2026 12:00:00')
  })
})

describe('isoTextCell', () => {
  test.each([
    ['2026-03-05', 'dd/mm/yyyy', '2026-03-05'],
    ['2026-03-06T00:00:00', 'dd/mm/yyyy', '2026-03-06'],
    ['2026-03-06T00:00:00', 'General', '2026-03-06'],
    ['2026-03-06T00:00:00', 'dd/mm/yyyy hh:mm', '2026-03-06 00:00:00'],
    ['2026-03-06T14:30:00.999', 'General', '2026-03-06 14:30:01'],
    ['2026-03-06T14:30:00Z', 'General', '2026-03-06 14:30:00'],
    ['2026-03-06T14:30:00-03:00', 'General', '2026-03-06 14:30:00'],
    ['T08:00:00', 'General', '08:00'],
    ['2026-02-28T24:00:00', 'dd/mm/yyyy hh:mm', 'nodate'],
    ['2026-02-31', 'General', 'nodate'],
    ['amanhã', 'General', 'nodate'],
  ])('isoTextCell takes %s with %s for %s', (text, code, expected) => {
    const cell = isoTextCell(text, formatOf(164, code))
    expect(typeof cell === 'string' ? cell : canonicalText(cell)).toBe(expected)
  })
})

describe('headingText', () => {
  // 2026-01-05T14:03:09, a Monday.
  const MOMENT = 46_027 + (14 * 3_600 + 3 * 60 + 9) / 86_400
  test.each([
    ['mmm/yy', 'jan/26'],
    ['mmm\\-yy', 'jan-26'],
    ['[$-416]mmm/yy;@', 'jan/26'],
    ['[$-409]mmm-yy;@', 'Jan-26'],
    ['mmm/aa', 'jan/26'],
    ['mmmm" de "yyyy', 'janeiro de 2026'],
    ['mm/yyyy', '01/2026'],
    ['yyyy', '2026'],
    ['dd/mm/yyyy', '05/01/2026'],
    ['d-mmm', '5-jan'],
    ['ddd d/m', 'seg 5/1'],
    ['dddd', 'segunda-feira'],
    ['dd/mm/yyyy hh:mm', '05/01/2026 14:03'],
    ['h:mm:ss dd/mm', '14:03:09 05/01'],
    // What is not shown by parts, is shown as in a column of texts.
    ['dd/mm/yyyy h:mm AM/PM', '05/01/2026 14:03:09'],
  ])('headingText shows a day or a moment by its format (%s)', (code, text) => {
    const value = /[hs]/.test(code) ? MOMENT : 46_027
    expect(headingText(numberCell(value, formatOf(164, code), false) as never)).toBe(text)
  })

  test('headingText shows all months in Portuguese', () => {
    const days = Array.from(
      { length: 12 },
      (_, month) => (Date.UTC(2026, month, 1) - Date.UTC(1899, 11, 30)) / 86_400_000,
    )
    const texts = days.map((day) => headingText(numberCell(day, formatOf(164, 'mmm'), false) as never))
    expect(texts.join(' ')).toBe('jan fev mar abr mai jun jul ago set out nov dez')
  })

  test('headingText shows numbers and texts as they are', () => {
    expect(headingText({ kind: 'number', value: 2026 })).toBe('2026')
    expect(headingText({ kind: 'text', value: 'jan/26' })).toBe('jan/26')
  })
})
