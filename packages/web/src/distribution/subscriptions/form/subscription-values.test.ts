import { expect, test } from 'vitest'
import { aSubscription, someOptions } from '../../../../test/subscriptions.ts'
import { draftOf, newValues, valuesOf } from './subscription-values.ts'

const screen = {
  pagina: 'geral',
  tituloPagina: 'Visão geral',
  filtros: { operadora: 'CNU' },
  marcador: 'selecao',
  isTooLong: false,
}
const values = (options = someOptions(), on: typeof screen | undefined = screen) =>
  newValues({ options, nomeRelatorio: 'Sinistralidade', screen: on, parametros: [] })

test('a new subscription sends the page on the screen every Monday, to oneself', () => {
  const { draft, faults } = draftOf(values(), { base: undefined, screen })
  expect(faults).toEqual({})
  expect(draft).toMatchObject({
    assunto: 'Sinistralidade',
    idVisao: null,
    pagina: 'geral',
    tituloPagina: 'Visão geral',
    filtros: { operadora: 'CNU' },
    marcador: 'selecao',
    formato: 'PDF',
    entrega: 'ANEXO',
    frequencia: 'SEMANAL',
    horario: '07:30',
    diaSemana: 'segunda',
    diaMes: null,
    idPessoas: [],
    idPerfis: [],
  })
})

test('a new subscription is a link where attachments are refused', () => {
  expect(values(someOptions({ semAnexo: 'Sensível.' })).envio).toBe('LINK')
})

test('a new subscription is a file that can be made now', () => {
  expect(values(someOptions({ formatos: ['XLSX'] })).envio).toBe('XLSX')
  expect(values(someOptions({ formatos: [] })).envio).toBe('LINK')
})

test('the form sends neither page nor its title with the whole report', () => {
  const { draft } = draftOf({ ...values(), inteiro: true }, { base: undefined, screen })
  expect(draft).toMatchObject({ pagina: null, tituloPagina: null, filtros: { operadora: 'CNU' } })
})

test('the form sends only the fields that belong to the frequency', () => {
  const monthly = draftOf({ ...values(), frequencia: 'MENSAL' }, { base: undefined, screen })
  expect(monthly.draft).toMatchObject({ diaSemana: null, diaMes: 'PRIMEIRO_UTIL', horario: '07:30' })
  const refreshed = draftOf({ ...values(), frequencia: 'ATUALIZACAO' }, { base: undefined, screen })
  expect(refreshed.draft).toMatchObject({ diaSemana: null, diaMes: null, horario: null })
})

test('the form names what is missing by its field', () => {
  const wrong = { ...values(), assunto: ' ', horario: '', fuso: null, paraOutros: true }
  expect(Object.keys(draftOf(wrong, { base: undefined, screen }).faults).sort()).toEqual(
    ['assunto', 'fuso', 'horario', 'idPessoas'].sort(),
  )
})

test('an image of a page that the provider does not name is refused', () => {
  const none = { ...screen, pagina: null }
  const { faults } = draftOf(
    { ...values(someOptions(), none as never), envio: 'PNG' },
    { base: undefined, screen: none as never },
  )
  expect(faults).toHaveProperty('pagina')
})

test('a change keeps the stored content until another one is chosen', () => {
  const base = aSubscription({ marcador: 'antes', ativa: false })
  const kept = draftOf(valuesOf(base), { base, screen })
  expect(kept.draft).toMatchObject({ filtros: { operadora: 'UNIMED' }, marcador: 'antes', ativa: false })
  const shown = draftOf({ ...valuesOf(base), conteudo: 'TELA' }, { base, screen })
  expect(shown.draft).toMatchObject({ filtros: { operadora: 'CNU' }, marcador: 'selecao' })
  const view = draftOf({ ...valuesOf(base), conteudo: 9 }, { base, screen })
  expect(view.draft).toMatchObject({ idVisao: 9, pagina: null, filtros: {}, marcador: null })
})

test('recipients that were chosen are left out while the subscription is for oneself', () => {
  const chosen = { ...values(), pessoas: [{ value: 4, label: 'Bia' }] }
  expect(draftOf(chosen, { base: undefined, screen }).draft?.idPessoas).toEqual([])
  const others = draftOf({ ...chosen, paraOutros: true }, { base: undefined, screen })
  expect(others.draft?.idPessoas).toEqual([4])
})
