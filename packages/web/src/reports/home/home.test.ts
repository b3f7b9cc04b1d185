import type { MenuWorkspace } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { greeting } from './home-page.tsx'
import { filterWorkspaces } from './reports-section.tsx'

test.each([
  [4, 'Boa noite, Ana'],
  [5, 'Bom dia, Ana'],
  [11, 'Bom dia, Ana'],
  [12, 'Boa tarde, Ana'],
  [17, 'Boa tarde, Ana'],
  [18, 'Boa noite, Ana'],
])('greeting at %i h in Brasília is %s', (hour, text) => {
  expect(greeting(' Ana  Souza', Date.UTC(2026, 10, 26, hour + 3))).toBe(text)
})

test('greeting omits the name while it is unknown', () => {
  expect(greeting('', Date.UTC(2026, 10, 26, 12))).toBe('Bom dia')
})

const workspace = (id: number, name: string, reports: string[]): MenuWorkspace => ({
  workspace: name,
  groupId: `g${id}`,
  idGrupoRelatorio: id,
  quantidade: reports.length,
  relatorios: reports.map((nome, index) => ({ idRelatorio: id * 10 + index, nome, reportId: `r${index}` })),
})
const workspaces = [
  workspace(1, 'Saúde Ocupacional', ['Absenteísmo', 'Exames']),
  workspace(2, 'Custos', ['Internações', 'Saúde mental']),
]
const found = (search: string) =>
  filterWorkspaces(workspaces, search).map(({ workspace: name, relatorios }) => [
    name,
    ...relatorios.map(({ nome }) => nome),
  ])

test('filterWorkspaces ignores case and accents and keeps all reports of a workspace found by name', () => {
  expect(found('INTERNACOES')).toEqual([['Custos', 'Internações']])
  expect(found('saude')).toEqual([
    ['Saúde Ocupacional', 'Absenteísmo', 'Exames'],
    ['Custos', 'Saúde mental'],
  ])
  expect(found('  ')).toHaveLength(2)
  expect(found('zzz')).toEqual([])
})
