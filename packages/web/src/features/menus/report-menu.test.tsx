// @vitest-environment happy-dom
import type { MenuWorkspace } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { menusQuery } from '../../lib/queries.ts'
import { ReportMenu } from './report-menu.tsx'

const workspace = (id: number, name: string, count: number): MenuWorkspace => ({
  workspace: name,
  groupId: `grupo-${id}`,
  idGrupoRelatorio: id,
  relatorios: Array.from({ length: count }, (_, index) => ({
    idRelatorio: id * 100 + index,
    nome: `${name} ${index}`,
    reportId: `relatorio-${index}`,
  })),
})

const show = (workspaces: MenuWorkspace[], path = '/saidibi') => {
  const client = new QueryClient()
  client.setQueryData(menusQuery.queryKey, workspaces)
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[path]}>
          <ReportMenu />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const expanded = () =>
  screen.getAllByRole('button').map((button) => button.getAttribute('aria-expanded') === 'true')

test('one workspace is open at a time', async () => {
  show([workspace(1, 'Água', 2), workspace(2, 'Banco', 2)])
  expect(expanded()).toEqual([false, false])
  await userEvent.click(screen.getByRole('button', { name: 'Água' }))
  expect(expanded()).toEqual([true, false])
  await userEvent.click(screen.getByRole('button', { name: 'Banco' }))
  expect(expanded()).toEqual([false, true])
})

test('the report on the screen is current, by its ids, and its workspace open', () => {
  show(
    [workspace(1, 'Água', 2), workspace(2, 'Banco', 2)],
    '/relatorio-embed/nome-antigo/grupo-2/relatorio-1',
  )
  expect(expanded()).toEqual([false, true])
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Banco 1')
})

test('a long menu has a search that finds by report and by workspace', async () => {
  show([workspace(1, 'Água', 5), workspace(2, 'Banco', 4)])
  await userEvent.type(screen.getByLabelText('Buscar relatório'), 'agua')
  expect(screen.getAllByRole('link')).toHaveLength(5)
  await userEvent.type(screen.getByLabelText('Buscar relatório'), ' 3')
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Água 3Água'])
  await userEvent.type(screen.getByLabelText('Buscar relatório'), 'zzz')
  expect(screen.getByText('Desculpe! Sem resultados para essa pesquisa.')).toBeDefined()
})

test('eight reports need no search', () => {
  show([workspace(1, 'Água', 8)])
  expect(screen.queryByLabelText('Buscar relatório')).toBeNull()
})

test('nothing granted says what to do', () => {
  show([])
  expect(
    screen.getByText('Nenhum relatório liberado para você ainda. Peça acesso a um administrador.'),
  ).toBeDefined()
})
