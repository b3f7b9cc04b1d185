import { type AuditEntry, auditActions } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { actionGroups, objectText, personText } from './audit-texts.ts'
import { changedFields, otherFields } from './detail-fields.ts'
import { objectPath } from './object-path.ts'

const entry = (
  detalhes: Record<string, unknown>,
  nomes: AuditEntry['nomes'] = {},
  objeto: string | null = null,
) => ({
  detalhes,
  nomes,
  objeto,
})
const changesOf = (detalhes: Record<string, unknown>) =>
  changedFields(entry(detalhes)).map(({ field, ...change }) => change)
const othersOf = (...about: Parameters<typeof entry>) =>
  otherFields(entry(...about)).map(({ label, value }) => ({ label, value }))

describe('details', () => {
  test('before and after stand side by side, under the names of the screens', () => {
    const details = {
      versao: 3,
      antes: { nomeGrupo: 'Vendas', filtro: null, acessoProntuario: false },
      depois: { nomeGrupo: 'Compras', filtro: '', acessoProntuario: true, papeisRls: ['A', 'B'] },
    }
    expect(changesOf(details)).toEqual([
      { label: 'Nome do Workspace', before: 'Vendas', after: 'Compras' },
      { label: 'Filtro', before: '—', after: '—' },
      { label: 'Acesso a prontuários', before: 'Não', after: 'Sim' },
      { label: 'Papéis de segurança', before: '—', after: 'A, B' },
    ])
    expect(othersOf(details)).toEqual([{ label: 'Versão', value: '3' }])
  })

  test('of something new there is no before, of something gone no after', () => {
    expect(changesOf({ depois: { nome: 'X' } })).toEqual([{ label: 'Nome', before: undefined, after: 'X' }])
    expect(changesOf({ antes: { nome: 'X' } })).toEqual([{ label: 'Nome', before: 'X', after: undefined }])
  })

  test('what is no record is told among the rest', () => {
    expect(
      othersOf({
        antes: 4,
        depois: null,
        retirados: [],
        ate: '2026-03-10T12:00:00.000Z',
        x: { a: [1, 2] },
        etapas: [{ ok: true }, { ok: false }],
      }),
    ).toEqual([
      { label: 'Antes', value: '4' },
      { label: 'Depois', value: '—' },
      { label: 'Retirados', value: 'nenhum' },
      { label: 'Até', value: '10/03/2026 09:00:00' },
      { label: 'x', value: 'a: 1, 2' },
      { label: 'Etapas', value: 'Deu certo: Sim\nDeu certo: Não' },
    ])
  })
})

describe('names', () => {
  const nomes = {
    'usuario:7': { nome: 'Ana', existe: true },
    'relatorio:1': { nome: 'Internações', existe: true },
    'relatorio:2': { nome: 'Exames', existe: false },
    'relatorio:3': { nome: null, existe: false },
    'workspace:4': { nome: 'Gestão', existe: true },
  }

  test('ids in details are told by name, with the way to what is there', () => {
    const liberados = [1, 2, 3, 99]
    expect(othersOf({ liberados, retirados: [], idUsuario: 7 }, nomes)).toEqual([
      {
        label: 'Liberados',
        value: [
          { key: 'relatorio:1', text: 'Internações', path: '/RegisterworkspaceRelatorios/1' },
          { key: 'relatorio:2', text: 'Exames (excluído)', path: undefined },
          { key: 'relatorio:3', text: 'Relatório nº 3 (excluído)', path: undefined },
          { key: 'relatorio:99', text: 'nº 99', path: undefined },
        ],
      },
      { label: 'Retirados', value: 'nenhum' },
      { label: 'Usuário', value: [{ key: 'usuario:7', text: 'Ana', path: '/cadastrar-usuario/7' }] },
    ])
    const nested = { etapas: [{ idUsuario: 7 }, { liberados: [1, 2] }], objeto: 'usuario:7' }
    expect(othersOf(nested, nomes)).toEqual([
      { label: 'Etapas', value: 'Usuário: Ana\nLiberados: Internações, Exames (excluído)' },
      { label: 'Objeto', value: 'Ana' },
    ])
  })

  test('a record’s own number stays one; another’s is told by name', () => {
    const antes = { idRelatorio: 1, idGrupoRelatorio: 4 }
    expect(changedFields(entry({ antes }, nomes, 'relatorio:1'))).toMatchObject([
      { label: 'Relatório', before: [{ text: 'nº 1', path: undefined }], after: undefined },
      { label: 'Grupo Relatório', before: [{ text: 'Gestão', path: '/Registerworkspace/4' }] },
    ])
  })

  test('the ways to what has a page', () => {
    const there = { nome: 'X', existe: true }
    expect(objectPath('pagina:analise', there)).toBe('/analise')
    expect(objectPath('pagina:bi-saude', there)).toBeUndefined()
    expect(objectPath('responsible:1', there)).toBeUndefined()
    expect(objectPath('usuario:7', { nome: 'X', existe: false })).toBeUndefined()
    expect(objectPath('configuracao:seguranca', undefined)).toBe('/seguranca')
    expect(objectPath('GET /api/x', undefined)).toBeUndefined()
  })

  test('what a provider’s sign-in was refused for is told in words', () => {
    expect(othersOf({ motivo: 'conta_pendente' })).toEqual([{ label: 'Motivo', value: 'conta pendente' }])
  })
})

test('of patients the trail tells numbers, the purpose and the fields: never more', () => {
  const detalhes = {
    finalidade: 'regulacao',
    prontuario: [12, 13],
    beneficiario: [4],
    versao: 2,
    campos: ['descricao_hd', 'risco_custo'],
  }
  expect(othersOf(detalhes, {}, 'prontuarios')).toEqual([
    { label: 'Finalidade', value: 'Regulação' },
    { label: 'Prontuário', value: 'nº 12, nº 13' },
    { label: 'Beneficiário', value: 'nº 4' },
    { label: 'Versão', value: '2' },
    { label: 'Campos', value: 'Descrição HD, Risco de custo' },
  ])
  expect(othersOf({ finalidade: 'nao_informada', cifrados: { prontuario: 2 } })).toEqual([
    { label: 'Finalidade', value: 'Não informada' },
    { label: 'Cifrados de novo', value: 'Prontuário: 2' },
  ])
})

describe('texts', () => {
  test('every action stands in one group of the filter', () => {
    const listed = actionGroups().flatMap(({ items }) => items.map(({ value }) => value))
    expect(listed.sort()).toEqual(Object.keys(auditActions).sort())
  })

  test('objects and people in words', () => {
    expect(objectText('relatorio:12')).toBe('Relatório nº 12')
    expect(objectText('configuracao:seguranca')).toBe('Regras de segurança')
    expect(objectText('workspaces')).toBe('Lista de workspaces')
    expect(objectText('a/b')).toBe('a/b')
    expect(objectText('prontuario:12')).toBe('Prontuário nº 12')
    expect(objectText('retencao')).toBe('Lista de retenção')
    const entry = { idUsuario: 7, nomeUsuario: null, acao: 'session.refused', nomes: {} }
    expect(personText({ ...entry, nomeUsuario: 'Ana' })).toBe('Ana')
    expect(personText(entry)).toBe('Usuário nº 7 (excluído)')
    const nomes = { 'usuario:7': { nome: 'Ana', existe: false } }
    expect(personText({ ...entry, nomes })).toBe('Ana (excluído)')
    expect(personText({ ...entry, idUsuario: null })).toBe('Não identificado')
    expect(personText({ ...entry, idUsuario: null, acao: 'audit.trimmed' })).toBe('O próprio sistema')
    expect(personText({ ...entry, idUsuario: null, acao: 'backup.created' })).toBe('O próprio sistema')
  })
})
