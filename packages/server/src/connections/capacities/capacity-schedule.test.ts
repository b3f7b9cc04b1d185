import { describe, expect, test } from 'vitest'
import { type Due, lastDue, lastSize, nextDue, type Schedule } from './capacity-schedule.ts'

const weekdays: Schedule = {
  diasAgenda: ['segunda', 'terca', 'quarta', 'quinta', 'sexta'],
  iniciaAs: '08:00',
  pausaAs: '19:00',
  feriados: ['2026-11-20'],
  tamanhoInicio: null,
  tamanhoFim: null,
}
/** São Paulo is three hours behind UTC. */
const at = (text: string) => new Date(`${text}-03:00`)
const shown = (due: Due | undefined) => due && [due.acao, due.em.toISOString()]
const last = (text: string, schedule = weekdays) => shown(lastDue(schedule, at(text)))
const next = (text: string, schedule = weekdays) => shown(nextDue(schedule, at(text)))
const start = (text: string) => ['INICIAR', at(text).toISOString()]
const pause = (text: string) => ['PAUSAR', at(text).toISOString()]

describe('the schedule of a capacity', () => {
  test.each([
    ['2026-11-18T07:59:59', pause('2026-11-17T19:00:00')],
    ['2026-11-18T08:00:00', start('2026-11-18T08:00:00')],
    ['2026-11-18T18:59:00', start('2026-11-18T08:00:00')],
    ['2026-11-18T19:00:00', pause('2026-11-18T19:00:00')],
  ])('the schedule of a capacity at %s is last due as %j', (now, due) => {
    expect(last(now)).toEqual(due)
  })

  test('the schedule of a capacity starts the next day of its week, not on the weekend', () => {
    expect(next('2026-11-14T12:00:00')).toEqual(start('2026-11-16T08:00:00'))
    expect(last('2026-11-15T12:00:00')).toEqual(pause('2026-11-13T19:00:00'))
  })

  test('the schedule of a capacity does not start on a holiday, but pauses what was started by hand', () => {
    expect(last('2026-11-20T12:00:00')).toEqual(pause('2026-11-19T19:00:00'))
    expect(next('2026-11-19T20:00:00')).toEqual(pause('2026-11-20T19:00:00'))
    expect(next('2026-11-20T19:30:00')).toEqual(start('2026-11-23T08:00:00'))
  })

  test('the schedule of a capacity pauses on the following day when it ends after midnight', () => {
    const night: Schedule = { ...weekdays, diasAgenda: ['sexta'], iniciaAs: '22:00', pausaAs: '02:00' }
    expect(next('2026-11-27T23:00:00', night)).toEqual(pause('2026-11-28T02:00:00'))
    expect(last('2026-11-28T02:00:00', night)).toEqual(pause('2026-11-28T02:00:00'))
  })

  test('the schedule of a capacity may only pause, and without days it does nothing', () => {
    const pauses = { ...weekdays, iniciaAs: null }
    expect(next('2026-11-18T08:00:00', pauses)).toEqual(pause('2026-11-18T19:00:00'))
    expect(next('2026-11-18T08:00:00', { ...weekdays, diasAgenda: [] })).toBeUndefined()
    expect(last('2026-11-18T08:00:00', { ...weekdays, diasAgenda: [] })).toBeUndefined()
  })

  const sized = { ...weekdays, tamanhoInicio: 'F8', tamanhoFim: 'F2' }
  const size = (text: string, schedule: Schedule) => {
    const due = lastSize(schedule, at(text))
    return due && [due.sku, due.em.toISOString()]
  }

  test('the schedule of a capacity sets a size at the start, and another at the end instead of a pause', () => {
    expect(size('2026-11-18T08:00:00', sized)).toEqual(['F8', at('2026-11-18T08:00:00').toISOString()])
    expect(size('2026-11-18T19:00:00', sized)).toEqual(['F2', at('2026-11-18T19:00:00').toISOString()])
    expect(last('2026-11-18T19:00:00', sized)).toEqual(start('2026-11-18T08:00:00'))
    expect(next('2026-11-18T09:00:00', sized)).toEqual([
      'REDIMENSIONAR',
      at('2026-11-18T19:00:00').toISOString(),
    ])
    expect(next('2026-11-18T20:00:00', sized)).toEqual(start('2026-11-19T08:00:00'))
  })

  test('the schedule of a capacity sets no size of the start on a holiday, and pauses when only the start has a size', () => {
    expect(size('2026-11-20T12:00:00', sized)).toEqual(['F2', at('2026-11-19T19:00:00').toISOString()])
    const starts = { ...sized, tamanhoFim: null }
    expect(last('2026-11-18T19:00:00', starts)).toEqual(pause('2026-11-18T19:00:00'))
    expect(size('2026-11-18T19:00:00', starts)).toEqual(['F8', at('2026-11-18T08:00:00').toISOString()])
    expect(size('2026-11-18T19:00:00', weekdays)).toBeUndefined()
  })
})
