import type { Favorite, MenuWorkspace } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { favoritesQuery } from '../favorites/favorites.ts'
import { menusQuery } from './menu.ts'
import { ReportMenu } from './report-menu.tsx'

const workspace = (id: number, name: string, count: number): MenuWorkspace => ({
  workspace: name,
  groupId: `grupo-${id}`,
  idGrupoRelatorio: id,
  quantidade: count,
  relatorios: Array.from({ length: count }, (_, index) => ({
    idRelatorio: id * 100 + index,
    nome: `${name} ${index}`,
    reportId: `relatorio-${index}`,
  })),
})

const show = (workspaces: MenuWorkspace[], path = '/saidibi', favorites: Favorite[] = []) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(menusQuery.queryKey, workspaces)
  client.setQueryData(favoritesQuery.queryKey, favorites)
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[path]}>
          <nav style={{ overflowY: 'auto' }}>
            <ReportMenu />
          </nav>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return screen.getByRole('navigation')
}

const expanded = () =>
  screen
    .getAllByRole('button')
    .filter((button) => button.className.includes('Accordion'))
    .map((button) => button.getAttribute('aria-expanded') === 'true')

test('the report menu opens one workspace at a time', async () => {
  show([workspace(1, 'Água', 2), workspace(2, 'Banco', 2)])
  expect(expanded()).toEqual([false, false])
  await userEvent.click(screen.getByRole('button', { name: 'Água' }))
  expect(expanded()).toEqual([true, false])
  await userEvent.click(screen.getByRole('button', { name: 'Banco' }))
  expect(expanded()).toEqual([false, true])
})

test('the report menu marks the report on the screen by its ids and opens its workspace', () => {
  show(
    [workspace(1, 'Água', 2), workspace(2, 'Banco', 2)],
    '/relatorio-embed/nome-antigo/grupo-2/relatorio-1',
  )
  expect(expanded()).toEqual([false, true])
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Banco 1')
})

test('the report menu searches a long menu by report and workspace name', async () => {
  show([workspace(1, 'Água', 5), workspace(2, 'Banco', 4)])
  await userEvent.type(screen.getByLabelText('Buscar relatório'), 'agua')
  expect(screen.getAllByRole('link')).toHaveLength(5)
  await userEvent.type(screen.getByLabelText('Buscar relatório'), ' 3')
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Água 3Água'])
  await userEvent.type(screen.getByLabelText('Buscar relatório'), 'zzz')
  expect(screen.getByText('Desculpe! Sem resultados para essa pesquisa.')).toBeDefined()
})

test("the '/' key focuses the search while a report is on the screen", async () => {
  show([workspace(1, 'Água', 9)], '/relatorio-embed/agua/agua-1/grupo-1/relatorio-1')
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(screen.getByLabelText('Buscar relatório'))
})

test("the '/' key belongs to the page elsewhere", async () => {
  show([workspace(1, 'Água', 9)], '/usuario')
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(document.body)
})

test('the report menu scrolls the menu to the report on the screen', async () => {
  const box = (top: number, height: number) => new DOMRect(0, top, 200, height)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return this.tagName === 'NAV' ? box(100, 400) : box(900, 20)
  })
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(2_000)
  const menu = show([workspace(1, 'Água', 9)], '/relatorio-embed/agua/agua-8/grupo-1/relatorio-8')
  await waitFor(() => expect(menu.scrollTop).toBe(900 - 100 - 200))
})

test('the report menu shows no search for eight reports', () => {
  show([workspace(1, 'Água', 8)])
  expect(screen.queryByLabelText('Buscar relatório')).toBeNull()
})

test('the report menu says what to do when no report is granted', () => {
  show([])
  expect(
    screen.getByText('Nenhum relatório liberado para você ainda. Peça acesso a um administrador.'),
  ).toBeDefined()
})

/** A menu delivered without its reports; the test plays the server. */
const showLazy = (answers: Record<string, () => Response>, path?: string) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return answers[url]?.() ?? Response.json({}, { status: 404 })
  })
  const whole = Array.from({ length: 60 }, (_, index) => workspace(index + 1, `Cliente ${index + 1}`, 3))
  show(
    whole.map((one) => ({ ...one, quantidade: 20, relatorios: [] })),
    path,
  )
  const reportsOf = (id: number) => whole[id - 1]?.relatorios ?? []
  return { asked, whole, reportsOf }
}
afterEach(() => vi.unstubAllGlobals())

test('the report menu shows the first workspaces of a large menu and the active one, and more on demand', async () => {
  const { asked } = showLazy(
    { '/api/usuarios/menus/50': () => Response.json(workspace(50, 'Cliente 50', 3).relatorios) },
    '/relatorio-embed/x/grupo-50/relatorio-1',
  )
  expect(screen.getAllByRole('button', { name: /^Cliente/ })).toHaveLength(25)
  expect((await screen.findByRole('link', { current: 'page' })).textContent).toBe('Cliente 50 1')
  expect(asked).toEqual(['/api/usuarios/menus/50'])
  await userEvent.click(screen.getByRole('button', { name: 'Mostrar mais' }))
  expect(screen.getAllByRole('button', { name: /^Cliente/ })).toHaveLength(49)
})

test('the report menu reports a workspace that cannot be read and offers a retry', async () => {
  let isDown = true
  const problem = { type: 'x', title: 'x', status: 403, detail: 'Frase.', codigo: 'x', idRequisicao: '1' }
  const answer = () =>
    isDown ? Response.json(problem, { status: 403 }) : Response.json(workspace(2, 'Cliente 2', 3).relatorios)
  showLazy({ '/api/usuarios/menus/2': answer })
  await userEvent.click(screen.getByRole('button', { name: 'Cliente 2' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Frase.')
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  expect(await screen.findAllByRole('link')).toHaveLength(3)
})

test('the report menu searches a large menu on the server after a debounce, with registration ids in the links', async () => {
  const { asked } = showLazy({
    '/api/usuarios/menus/busca?busca=custo': () => Response.json([workspace(7, 'Cliente 7', 2)]),
  })
  await userEvent.type(screen.getByLabelText('Buscar relatório'), 'custo')
  const links = await screen.findAllByRole('link')
  expect(links.map((link) => link.getAttribute('href')?.split('?')[1])).toEqual([
    'relatorio=700',
    'relatorio=701',
  ])
  expect(asked).toEqual(['/api/usuarios/menus/busca?busca=custo'])
})

const favorite = (idRelatorio: number): Favorite => ({
  idRelatorio,
  nomeRelatorio: `Favorito ${idRelatorio}`,
  nomeGrupo: 'Banco',
  groupId: 'grupo-2',
  reportId: `relatorio-${idRelatorio - 200}`,
})
const namesShown = () =>
  within(screen.getByRole('list', { name: 'Favoritos' }))
    .getAllByRole('link')
    .map((link) => link.textContent)

test('the report menu lists favourites first, in their order, and moves them from the keyboard', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body))
    sent.push(body)
    return Response.json(body.ids.map(favorite))
  })
  show([workspace(2, 'Banco', 3)], '/saidibi', [200, 201, 202].map(favorite))
  expect(namesShown()).toEqual(['Favorito 200', 'Favorito 201', 'Favorito 202'])
  await userEvent.click(screen.getByRole('button', { name: 'Organizar Favorito 200' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Mover para baixo' }))
  await waitFor(() => expect(namesShown()).toEqual(['Favorito 201', 'Favorito 200', 'Favorito 202']))
  expect(sent).toEqual([{ ids: [201, 200, 202] }])
  expect(screen.getByText('Favorito 200: posição 2 de 3.')).toBeDefined()
})

test('the report menu restores the order and reports the error when the server refuses a move', async () => {
  const problem = { type: 'x', title: 'x', status: 503, detail: 'Frase.', codigo: 'x', idRequisicao: '1' }
  vi.stubGlobal('fetch', async () => Response.json(problem, { status: 503 }))
  show([workspace(2, 'Banco', 3)], '/saidibi', [200, 201].map(favorite))
  await userEvent.click(screen.getByRole('button', { name: 'Organizar Favorito 201' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Mover para cima' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Frase.')
  expect(namesShown()).toEqual(['Favorito 200', 'Favorito 201'])
})

test('the report menu adds a report of the menu to the favourites', async () => {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push(`${init.method} ${url}`)
    return Response.json([favorite(201)])
  })
  show([workspace(2, 'Banco', 3)], '/relatorio-embed/x/grupo-2/relatorio-1')
  await userEvent.click(screen.getByRole('button', { name: 'Pôr nos favoritos: Banco 1' }))
  await waitFor(() => expect(namesShown()).toEqual(['Favorito 201']))
  expect(sent).toEqual(['PUT /api/usuarios/favoritos/201'])
  expect(screen.getByRole('button', { name: 'Tirar dos favoritos: Banco 1' })).toBeDefined()
})
