import { auditActions } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { actionGroups, momentText, objectText, personText } from './audit-texts.ts'
import { changedFields, otherFields } from './detail-fields.ts'

describe('details', () => {
  test('before and after stand side by side, under the names of the screens', () => {
    const details = {
      versao: 3,
      antes: { nomeGrupo: 'Vendas', filtro: null, acessoProntuario: false },
      depois: { nomeGrupo: 'Compras', filtro: '', acessoProntuario: true, papeisRls: ['A', 'B'] },
    }
    expect(changedFields(details)).toEqual([
      { label: 'Nome do Workspace', before: 'Vendas', after: 'Compras' },
      { label: 'Filtro', before: '—', after: '—' },
      { label: 'Acesso a prontuários', before: 'Não', after: 'Sim' },
      { label: 'Papéis de segurança', before: '—', after: 'A, B' },
    ])
    expect(otherFields(details)).toEqual([{ label: 'Versão', value: '3' }])
  })

  test('of something new there is no before, of something gone no after', () => {
    expect(changedFields({ depois: { nome: 'X' } })).toEqual([
      { label: 'Nome', before: undefined, after: 'X' },
    ])
    expect(changedFields({ antes: { nome: 'X' } })).toEqual([
      { label: 'Nome', before: 'X', after: undefined },
    ])
  })

  test('what is no record is told among the rest', () => {
    expect(
      otherFields({
        antes: 4,
        depois: null,
        retirados: [],
        ate: '2026-03-10T12:00:00.000Z',
        x: { a: [1, 2] },
      }),
    ).toEqual([
      { label: 'Antes', value: '4' },
      { label: 'Depois', value: '—' },
      { label: 'Retirados', value: 'nenhum' },
      { label: 'Até', value: '10/03/2026 09:00:00' },
      { label: 'x', value: 'a: 1, 2' },
    ])
  })
})

describe('texts', () => {
  test('every action stands in one group of the filter', () => {
    const listed = actionGroups().flatMap(({ items }) => items.map(({ value }) => value))
    expect(listed.sort()).toEqual(Object.keys(auditActions).sort())
  })

  test('objects and people in words', () => {
    expect(objectText('relatorio:12')).toBe('Relatório 12')
    expect(objectText('workspaces')).toBe('Lista de workspaces')
    expect(objectText('a/b')).toBe('a/b')
    expect(objectText(null)).toBe('—')
    const entry = { idUsuario: 7, nomeUsuario: null, acao: 'session.refused' } as Parameters<
      typeof personText
    >[0]
    expect(personText({ ...entry, nomeUsuario: 'Ana' })).toBe('Ana')
    expect(personText(entry)).toBe('Usuário nº 7 (excluído)')
    expect(personText({ ...entry, idUsuario: null })).toBe('Não identificado')
    expect(personText({ ...entry, idUsuario: null, acao: 'audit.trimmed' })).toBe('O próprio sistema')
    expect(momentText('2026-03-10T02:00:01Z')).toBe('09/03/2026 23:00:01')
  })
})
