import { expect, test } from 'vitest'
import { aSubscription, someOptions } from '../../../../test/subscriptions.ts'
import { draftOf, newValues, type SubscriptionValues, valuesOf } from './subscription-values.ts'
import { keptVisuals, visualOptions } from './visual-choice.ts'

const [custo, vidas, antigo] = [
  { nome: 'custo', titulo: 'Custo por mês' },
  { nome: 'vidas', titulo: 'Vidas' },
  { nome: 'antigo', titulo: 'Saiu da página' },
]
const screen = {
  pagina: 'geral',
  tituloPagina: 'Visão geral',
  filtros: {},
  marcador: null,
  isTooLong: false,
  visuais: [custo, vidas],
}
const values = (fields: Partial<SubscriptionValues> = {}): SubscriptionValues => ({
  ...newValues({ options: someOptions(), nomeRelatorio: 'Custos', screen, parametros: [] }),
  envio: 'XLSX',
  ...fields,
})
const validate = (fields: Partial<SubscriptionValues>) => draftOf(values(fields), { base: undefined, screen })

test('a spreadsheet has all visuals of the page, until some are left out', () => {
  expect(validate({}).draft).toMatchObject({ formato: 'XLSX', pagina: 'geral', visuais: [] })
  expect(validate({ visuais: ['vidas'] }).draft?.visuais).toEqual([vidas])
  const options = visualOptions({ conteudo: 'TELA' }, { base: undefined, screen })
  expect(keptVisuals(['vidas', 'custo'], options)).toBeNull()
  expect(keptVisuals(['vidas'], options)).toEqual(['vidas'])
})

test('a spreadsheet has at least one visual', () => {
  expect(validate({ visuais: [] }).faults).toEqual({ visuais: 'Marque ao menos um visual.' })
})

test.each([
  ['another format', { envio: 'PDF' as const }],
  ['the whole report', { inteiro: true }],
  ['a saved view', { conteudo: 9 }],
])('%s has no choice of visuals', (_, fields) => {
  const { draft, faults } = validate({ visuais: ['vidas'], ...fields })
  expect([draft?.visuais, faults]).toEqual([[], {}])
})

test('a change keeps the stored visuals, also those that the page has lost', () => {
  const base = aSubscription({ formato: 'XLSX', visuais: [vidas, antigo] })
  const { conteudo, visuais } = valuesOf(base)
  expect(visualOptions({ conteudo }, { base, screen })).toEqual({ known: [custo, vidas], stored: [antigo] })
  expect(draftOf(valuesOf(base), { base, screen }).draft?.visuais).toEqual([vidas, antigo])
  const one = { ...valuesOf(base), visuais: (visuais ?? []).filter((nome) => nome !== 'antigo') }
  expect(draftOf(one, { base, screen }).draft?.visuais).toEqual([vidas])
})

test('a change outside of the page keeps or drops the stored visuals', () => {
  const base = aSubscription({ formato: 'XLSX', visuais: [custo, vidas] })
  for (const elsewhere of [undefined, { ...screen, pagina: 'outra', visuais: [antigo] }]) {
    const options = visualOptions({ conteudo: 'GRAVADO' }, { base, screen: elsewhere })
    expect(options).toEqual({ known: undefined, stored: [custo, vidas] })
    // All that are known here are not all of the page.
    expect(keptVisuals(['custo', 'vidas'], options)).toEqual(['custo', 'vidas'])
    expect(draftOf(valuesOf(base), { base, screen: elsewhere }).draft?.visuais).toEqual([custo, vidas])
  }
})
