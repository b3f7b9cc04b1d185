import { expect, test } from 'vitest'
import { capacity } from '../../../test/capacity.ts'
import { nextText, scheduleText } from './capacity-texts.ts'
import { draftOf, valuesOf } from './capacity-values.ts'

const weekdays = {
  ...capacity,
  diasAgenda: ['segunda', 'terca', 'quarta', 'quinta', 'sexta'] as typeof capacity.diasAgenda,
}

test.each([
  [{}, 'Sem agenda'],
  [{ ...weekdays, iniciaAs: '08:00', pausaAs: '19:00' }, 'Segunda a sexta, das 08:00 às 19:00'],
  [
    { ...weekdays, iniciaAs: '08:00', pausaAs: '19:00', tamanhoInicio: 'F8', tamanhoFim: 'F2' },
    'Segunda a sexta, das 08:00 (F8) às 19:00 (F2)',
  ],
  [{ ...weekdays, iniciaAs: '08:00', tamanhoInicio: 'F8' }, 'Segunda a sexta, inicia às 08:00 (F8)'],
  [{ ...weekdays, pausaAs: '19:00' }, 'Segunda a sexta, pausa às 19:00'],
  [{ ...weekdays, pausaAs: '19:00', tamanhoFim: 'F2' }, 'Segunda a sexta, muda de tamanho às 19:00 (F2)'],
])('the schedule of %j is in words', (fields, text) => {
  expect(scheduleText({ ...capacity, ...fields })).toBe(text)
})

test('the next moment says what happens', () => {
  const next = (acao: 'INICIAR' | 'PAUSAR' | 'REDIMENSIONAR', sku: string | null) =>
    nextText({
      estado: 'ATIVA',
      sku: 'F2',
      lidoEm: null,
      falha: null,
      naoPausada: null,
      usadaEm: null,
      proxima: { acao, sku, em: '2026-11-27T11:00:00.000Z' },
    })
  expect(next('INICIAR', null)).toMatch(/^Inicia em 27\/11\/2026/)
  expect(next('REDIMENSIONAR', 'F8')).toMatch(/^Muda para F8 em 27\/11\/2026/)
})

test('a size is sent in capitals, and an empty one as none', () => {
  const typed = { ...valuesOf(capacity), tamanhoInicio: ' f8 ', tamanhoFim: ' ' }
  expect(draftOf(typed)).toMatchObject({ tamanhoInicio: 'F8', tamanhoFim: null })
})
