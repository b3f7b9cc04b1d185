import {
  ApiProblem,
  type Call,
  type ExternalGroup,
  reportRegistrationsApi,
  workspacesApi,
} from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { type ImportedGroup, importGroups, withoutImported } from './import-groups.ts'

const group = (
  idGrupo: string,
  nomeGrupo: string,
  idGrupoRelatorio: number | null = null,
): ExternalGroup => ({
  idGrupo,
  nomeGrupo,
  idGrupoRelatorio,
})
const report = (reportId: string, fields = {}) => ({
  reportId,
  nome: reportId,
  tipo: 'INTERATIVO' as const,
  jaCadastrado: false,
  impedimento: null,
  ...fields,
})
const ticked = { isTicked: true, nomeRelatorio: 'Nome', operadoraRelatorio: '' }

/** Answers as the API; refuses the workspaces of the given groups. */
const api = (refused: string[]) => {
  const sent: unknown[] = []
  const call = (async (
    endpoint: unknown,
    input: { body?: { idGrupo?: string }; params?: { id: number } },
  ) => {
    sent.push(endpoint === workspacesApi.create ? input.body : { ...input.params, ...input.body })
    if (endpoint === reportRegistrationsApi.import && input.params?.id === 5)
      throw new ApiProblem(404, { codigo: 'nao_encontrado', detail: 'Não existe mais.' })
    if (endpoint === reportRegistrationsApi.import) return [{ nomeRelatorio: 'Nome' }]
    if (refused.includes(input.body?.idGrupo ?? ''))
      throw new ApiProblem(409, {
        codigo: 'workspace_ja_cadastrado',
        detail: 'Já existe.',
        campos: { idGrupo: 'Este grupo já está cadastrado.' },
      })
    return { idGrupoRelatorio: 7 }
  }) as Call
  return { call, sent }
}

test('importGroups registers new workspaces with a fitting name, and continues after a refused one', async () => {
  const { call, sent } = api(['b'])
  const long = 'n'.repeat(200)
  const imported = await importGroups(call, {
    idPowerBi: 3,
    groups: [
      { group: group('a', long), reports: [report('r1'), report('r2')] },
      { group: group('b', 'Recusado'), reports: [report('r3')] },
      { group: group('c', 'Conhecido', 9), reports: [report('r4')] },
      { group: group('e', 'Excluído', 5), reports: [report('r6')] },
      { group: group('d', 'Sem marcados'), reports: [report('r5')] },
    ],
    lines: { r1: ticked, r3: ticked, r4: ticked, r6: ticked },
    operadora: 'CNU',
  })
  const outcomes = imported.map(({ group: { idGrupo, idGrupoRelatorio }, reports, failure }) => [
    idGrupo,
    idGrupoRelatorio,
    reports.length,
    failure,
  ])
  expect(outcomes).toEqual([
    ['a', 7, 1, undefined],
    ['b', null, 0, 'Este grupo já está cadastrado.'],
    ['c', 9, 1, undefined],
    ['e', 5, 0, 'Não existe mais.'],
  ])
  const relatorios = (reportId: string) => [{ reportId, nomeRelatorio: 'Nome', operadoraRelatorio: 'CNU' }]
  expect(sent).toEqual([
    { idGrupo: 'a', nomeGrupo: `${'n'.repeat(119)}…`, idPowerBi: 3 },
    { id: 7, relatorios: relatorios('r1') },
    { idGrupo: 'b', nomeGrupo: 'Recusado', idPowerBi: 3 },
    { id: 9, relatorios: relatorios('r4') },
    { id: 5, relatorios: relatorios('r6') },
  ])
})

test('withoutImported keeps the lines of the groups that failed', () => {
  const imported = [
    { group: group('a', 'A', 7), reports: [{ reportId: 'r1' }], failure: undefined },
    { group: group('b', 'B'), reports: [], failure: 'Recusado.' },
  ] as unknown as ImportedGroup[]
  expect(withoutImported({ r1: ticked, r2: ticked }, imported)).toEqual({ r2: ticked })
})
