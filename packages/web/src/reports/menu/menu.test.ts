import type { MenuWorkspace } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { activeWorkspace, isLazy, linksOf, withReports } from './menu.ts'

const G = 'aaaaaaaa-0000-4000-8000-000000000001'
const workspace = (
  id: number,
  reports: [idRelatorio: number, reportId: string][],
  { groupId = G, quantidade = reports.length } = {},
): MenuWorkspace => ({
  workspace: `Workspace ${id}`,
  groupId,
  idGrupoRelatorio: id,
  quantidade,
  relatorios: reports.map(([idRelatorio, reportId]) => ({
    idRelatorio,
    reportId,
    nome: `Relatório ${idRelatorio}`,
  })),
})
const searchesOf = (menu: MenuWorkspace[], shown = menu) => {
  const { pathOf } = linksOf(menu)
  return shown.flatMap((one) =>
    one.relatorios.map((report) => new URL(pathOf(one, report), 'http://x').search),
  )
}
const currentIn = (menu: MenuWorkspace[], active: Parameters<typeof activeWorkspace>[1]) => {
  const { isCurrent } = linksOf(menu)
  return menu.flatMap((one) =>
    one.relatorios.filter((report) => isCurrent(active, one, report)).map(({ idRelatorio }) => idRelatorio),
  )
}

test('pathOf names the registration where two share the external ids, ignoring case', () => {
  expect(
    searchesOf([
      workspace(1, [
        [10, 'r1'],
        [11, 'R1'],
        [12, 'r2'],
      ]),
    ]),
  ).toEqual(['?relatorio=10', '?relatorio=11', ''])
})

test('pathOf names the registration across workspaces of one external group, not across groups', () => {
  expect(searchesOf([workspace(1, [[10, 'r1']]), workspace(2, [[20, 'r1']])])).toEqual([
    '?relatorio=10',
    '?relatorio=20',
  ])
  expect(searchesOf([workspace(1, [[10, 'r1']]), workspace(2, [[20, 'r1']], { groupId: 'b' })])).toEqual([
    '',
    '',
  ])
})

test('isCurrent matches the registration in the address, otherwise the oldest as on the server', () => {
  const menu = [
    workspace(1, [
      [11, 'r1'],
      [10, 'r1'],
    ]),
  ]
  const active = { groupId: G.toUpperCase(), reportId: 'R1' }
  expect(currentIn(menu, active)).toEqual([10])
  expect(currentIn(menu, { ...active, idRelatorio: 11 })).toEqual([11])
  expect(currentIn(menu, { ...active, idRelatorio: 99 })).toEqual([])
  expect(currentIn(menu, undefined)).toEqual([])
})

test('activeWorkspace prefers the workspace that holds the registration', () => {
  const menu = [workspace(1, [[10, 'r1']]), workspace(2, [[20, 'r1']])]
  expect(activeWorkspace(menu, { groupId: G, reportId: 'r1', idRelatorio: 20 })?.idGrupoRelatorio).toBe(2)
  expect(activeWorkspace(menu, { groupId: G, reportId: 'r1' })?.idGrupoRelatorio).toBe(1)
  expect(activeWorkspace(menu, { groupId: G, reportId: 'gone' })?.idGrupoRelatorio).toBe(1)
  expect(activeWorkspace(menu, { groupId: 'other', reportId: 'r1' })).toBeUndefined()
})

test('isLazy is true for a workspace whose reports are not loaded, false for an empty one', () => {
  expect(isLazy(workspace(1, [], { quantidade: 3 }))).toBe(true)
  expect(isLazy(workspace(1, []))).toBe(false)
  expect(isLazy(workspace(1, [[10, 'r1']]))).toBe(false)
})

test("pathOf names the registration while part of the group's reports is not loaded", () => {
  const menu = [workspace(1, [], { quantidade: 2 })]
  const reports = workspace(1, [
    [10, 'r1'],
    [11, 'r2'],
  ]).relatorios
  expect(searchesOf(withReports(menu, 1, reports))).toEqual(['', ''])
  const found = [workspace(1, [[10, 'r1']])]
  expect(searchesOf(menu, found)).toEqual(['?relatorio=10'])
})
