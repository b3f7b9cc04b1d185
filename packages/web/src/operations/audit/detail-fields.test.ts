import { type AuditEntry, auditActions } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { actionGroups, isAction, objectText, personText } from './audit-texts.ts'
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

describe('names that every object inherits', () => {
  // Kind: a map is read with a text that people write, such as a reason or an address.
  test.each(['constructor', 'toString', 'valueOf'])('%s is shown as it is written', (text) => {
    expect(isAction(text)).toBe(false)
    expect(othersOf({ motivo: text, finalidade: text, objeto: text })).toEqual([
      { label: expect.any(String), value: text },
      { label: expect.any(String), value: text },
      { label: expect.any(String), value: text },
    ])
    expect(othersOf({ [text]: 'x' })).toEqual([{ label: text, value: 'x' }])
  })
})

describe('details', () => {
  test('details show values before and after under the labels of the screens', () => {
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

  test('details name the key of a program, and what it may do', () => {
    expect(othersOf({ chaveApi: 'Planilha', grupos: ['DADOS', 'RELATORIOS'], redes: [] })).toEqual([
      { label: 'Chave de API', value: 'Planilha' },
      { label: 'Permissões', value: 'Ler dados dos relatórios, Ver meus relatórios' },
      { label: 'Redes permitidas', value: 'não informadas' },
    ])
  })

  test('details have no value before for a new entity, and none after for a deleted one', () => {
    expect(changesOf({ depois: { nome: 'X' } })).toEqual([{ label: 'Nome', before: undefined, after: 'X' }])
    expect(changesOf({ antes: { nome: 'X' } })).toEqual([{ label: 'Nome', before: 'X', after: undefined }])
  })

  test('details list values before and after that are not entities among the other fields', () => {
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

  test('names replace ids in details, with links to existing objects', () => {
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

  test('names replace the ids of other objects but not the entity’s own', () => {
    const antes = { idRelatorio: 1, idGrupoRelatorio: 4 }
    expect(changedFields(entry({ antes }, nomes, 'relatorio:1'))).toMatchObject([
      { label: 'Relatório', before: [{ text: 'nº 1', path: undefined }], after: undefined },
      { label: 'Grupo Relatório', before: [{ text: 'Gestão', path: '/Registerworkspace/4' }] },
    ])
  })

  test('names have a path only for existing objects with a page', () => {
    const there = { nome: 'X', existe: true }
    expect(objectPath('pagina:analise', there)).toBe('/analise')
    expect(objectPath('pagina:bi-saude', there)).toBeUndefined()
    expect(objectPath('responsible:1', there)).toBeUndefined()
    expect(objectPath('usuario:7', { nome: 'X', existe: false })).toBeUndefined()
    expect(objectPath('configuracao:seguranca', undefined)).toBe('/seguranca')
    expect(objectPath('GET /api/x', undefined)).toBeUndefined()
  })

  test('names replace the reason why a provider’s sign-in was refused', () => {
    expect(othersOf({ motivo: 'conta_pendente' })).toEqual([{ label: 'Motivo', value: 'conta pendente' }])
  })
})

test('details about patients show only ids, purpose and field names', () => {
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

describe('audit-texts', () => {
  test('actionGroups puts every action into one group of the filter', () => {
    const listed = actionGroups().flatMap(({ items }) => items.map(({ value }) => value))
    expect(listed.sort()).toEqual(Object.keys(auditActions).sort())
  })

  test('objectText and personText name objects and users in Portuguese', () => {
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
