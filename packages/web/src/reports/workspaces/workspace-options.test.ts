import { ApiProblem, MISSING } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { groupOptions } from './group-field.tsx'
import { faultsOf, importOf, tickedOf, withAllTicked } from './import-draft.ts'

const live = [
  { idGrupo: 'AAAA-1', nomeGrupo: 'Saúde', idGrupoRelatorio: null },
  { idGrupo: 'bbbb-2', nomeGrupo: 'Financeiro', idGrupoRelatorio: null },
]
const registered = [
  { value: 'aaaa-1', label: 'Saúde RS', mark: 'já cadastrado' },
  { value: 'cccc-3', label: 'Antigo', mark: 'já cadastrado' },
]

test('groupOptions finds groups without accents or by id, marks registered and appends unseen ones', () => {
  expect(groupOptions('', live, registered).map(({ label, mark }) => [label, mark])).toEqual([
    ['Saúde', 'já cadastrado'],
    ['Financeiro', undefined],
    ['Antigo', 'já cadastrado'],
  ])
  expect(groupOptions('SAUDE', live, []).map(({ value }) => value)).toEqual(['AAAA-1'])
  expect(groupOptions('bbbb', live, []).map(({ label }) => label)).toEqual(['Financeiro'])
})

const report = (reportId: string, jaCadastrado = false) => ({
  reportId,
  nome: `Nome ${reportId}`,
  tipo: 'INTERATIVO' as const,
  jaCadastrado,
  impedimento: null,
})
const reports = [report('a'), report('b', true), report('c')]

test('withAllTicked ticks unregistered reports, at most as many as a request may contain', () => {
  expect(tickedOf(reports, withAllTicked({}, reports, true)).map(({ reportId }) => reportId)).toEqual([
    'a',
    'c',
  ])
  expect(tickedOf(reports, withAllTicked({}, reports, true, 1)).map(({ reportId }) => reportId)).toEqual([
    'a',
  ])
  expect(tickedOf(reports, withAllTicked(withAllTicked({}, reports, true), reports, false))).toEqual([])
})

test('importOf uses the common operadora for reports without their own', () => {
  const lines = { a: { isTicked: true, nomeRelatorio: ' Novo ', operadoraRelatorio: 'CNU' } }
  expect(importOf([report('a'), report('c')], lines, 'BRADESCO')).toEqual([
    { reportId: 'a', nomeRelatorio: 'Novo', operadoraRelatorio: 'CNU' },
    { reportId: 'c', nomeRelatorio: 'Nome c', operadoraRelatorio: 'BRADESCO' },
  ])
  const draft = importOf([report('c')], {}, ' ')
  expect(draft).toEqual([{ reportId: 'c', nomeRelatorio: 'Nome c', operadoraRelatorio: 'Todas' }])
})

test('a report that cannot be embedded is not imported, and a long name is shortened', () => {
  const blocked = { ...report('b'), impedimento: 'É um painel.' }
  const long = { ...report('d'), nome: 'n'.repeat(300) }
  const lines = withAllTicked({}, [blocked, long], true)
  expect(importOf(tickedOf([blocked, long], lines), lines, 'CNU')).toEqual([
    { reportId: 'd', nomeRelatorio: `${'n'.repeat(159)}…`, operadoraRelatorio: 'CNU' },
  ])
})

test("faultsOf assigns the server's errors to their reports after the draft has changed", () => {
  const line = (reportId: string, nomeRelatorio = 'Nome') => ({
    reportId,
    nomeRelatorio,
    operadoraRelatorio: 'CNU',
  })
  const error = new ApiProblem(422, {
    codigo: 'dados_invalidos',
    detail: 'Confira os campos.',
    campos: { 'relatorios.1.reportId': 'Já está cadastrado.' },
  })
  const faults = faultsOf([line('b'), line('c'), line('d', '')], ['a', 'b', 'c'], error)
  expect(faults.b?.reportId).toBe('Já está cadastrado.')
  expect(faults.c?.reportId).toBeUndefined()
  expect(faults.d).toEqual({
    reportId: undefined,
    nomeRelatorio: MISSING,
    operadoraRelatorio: undefined,
  })
})
