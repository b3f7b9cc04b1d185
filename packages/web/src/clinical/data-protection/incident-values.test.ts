import { IncidentDraft } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { draftOf, valuesOf } from './incident-values.ts'

const filled = {
  ...valuesOf(undefined),
  titulo: 'T',
  conhecido_em: '2026-03-10T14:30',
  descricao: 'D',
  dados_afetados: 'D',
}

test('a new incident requires notification by default', () => {
  expect(draftOf(filled)).toMatchObject({ exige_comunicacao: true, gravidade: 'medio', ocorrido_em: null })
  expect(IncidentDraft.parse(draftOf(filled))).toMatchObject({ conhecido_em: '2026-03-10T17:30:00.000Z' })
})

test('draftOf parses the number of people with thousands separators, and invalid input as -1', () => {
  const people = (titulares_afetados: string) => draftOf({ ...filled, titulares_afetados }).titulares_afetados
  expect([people(''), people(' 1.200 '), people('12'), people('uns cem')]).toEqual([null, 1200, 12, -1])
})

test('draftOf passes on an incomplete instant, which the schema refuses', () => {
  const result = IncidentDraft.safeParse(draftOf({ ...filled, ocorrido_em: '2026-03-10T' }))
  expect(result.error?.issues.map(({ path }) => path)).toEqual([['ocorrido_em']])
})
