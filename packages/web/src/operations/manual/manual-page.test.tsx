import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { ManualRoute } from './manual-page.tsx'

const open = (address: string) => {
  const router = createMemoryRouter([{ path: '/ajuda/:pagina?', Component: ManualRoute }], {
    initialEntries: [address],
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return router
}
const addressOf = ({ state: { location } }: ReturnType<typeof open>) =>
  location.pathname + location.search + decodeURIComponent(location.hash)

test('/ajuda lists the pages of the manual', async () => {
  open('/ajuda')
  await screen.findByRole('heading', { level: 1, name: 'Manual do BI Manager' })
  expect(screen.getByRole('link', { name: 'Administrar o portal' }).getAttribute('href')).toBe(
    '/ajuda/administrar',
  )
})

test('a page has its title, its table of contents, its anchors and its pictures', async () => {
  open('/ajuda/usar')
  await screen.findByRole('heading', { level: 1, name: 'Entrar e abrir relatórios' })
  const contents = screen.getByRole('navigation', { name: 'Nesta página' })
  const link = within(contents).getByText('Exportar e compartilhar')
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toBe('/ajuda/usar#exportar-e-compartilhar')
  expect(document.getElementById('exportar-e-compartilhar')?.tagName).toBe('H3')
  expect(screen.getByRole('img', { name: 'Tela de entrada' }).getAttribute('src')).toMatch(
    /sign-in-desktop-light.*png$/,
  )
})

test('a screen in the address leads to its page and focuses its heading', async () => {
  const router = open(`/ajuda?tela=${encodeURIComponent('/cadastrar-usuario/7')}`)
  await screen.findByRole('heading', { level: 1, name: 'Contas e segurança' })
  expect(addressOf(router)).toBe('/ajuda/contas#cadastrar-usuários')
  expect(document.activeElement?.id).toBe('cadastrar-usuários')
})

test.each([
  ['/ajuda/administrar#cadastrar-usuários', '/ajuda/contas#cadastrar-usuários', 'Contas e segurança'],
  [
    `/ajuda/administrar#${encodeURIComponent('situação-do-sistema')}`,
    '/ajuda/operacao#situação-do-sistema',
    'Situação, auditoria e aparência',
  ],
  ['/ajuda/administrar#usar-as-listas', '/ajuda/administrar#usar-as-listas', 'Administrar o portal'],
  ['/ajuda/administrar#nada', '/ajuda/administrar#nada', 'Administrar o portal'],
])('the address %s leads to %s', async (address, place, title) => {
  const router = open(address)
  await screen.findByRole('heading', { level: 1, name: title })
  expect(addressOf(router)).toBe(place)
  const id = place.split('#')[1]
  if (id !== 'nada') expect(document.activeElement?.id).toBe(id)
})

test('a link to another page is followed without a reload', async () => {
  const router = open('/ajuda')
  await userEvent.click(await screen.findByRole('link', { name: 'Encarregado de dados' }))
  await screen.findByRole('heading', { level: 1, name: 'Encarregado de dados' })
  expect(addressOf(router)).toBe('/ajuda/encarregado')
})

test('the search finds pages, headings and excerpts, and keeps its text in the address', async () => {
  const router = open('/ajuda')
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Buscar no manual' }), 'SALVAS visoes')
  const results = await screen.findByRole('region', { name: 'Resultados' })
  const link = within(results).getByRole('link', { name: 'Visões salvas' })
  expect(addressOf(router)).toBe('/ajuda?busca=SALVAS+visoes')
  expect(link.parentElement?.textContent).toContain('Entrar e abrir relatórios')
  expect(link.parentElement?.querySelector('mark')?.textContent).toMatch(/vis|salvas/i)
  await userEvent.click(link)
  expect(addressOf(router)).toBe('/ajuda/usar#visões-salvas')
  await screen.findByRole('heading', { level: 1, name: 'Entrar e abrir relatórios' })
})

test('the search says when nothing is found', async () => {
  open('/ajuda?busca=xyzzy')
  expect((await screen.findByText('Nenhum resultado encontrado!')).getAttribute('role')).toBe('status')
})

test('an unknown page says so and leads to the list of pages', async () => {
  open('/ajuda/nada')
  await screen.findByRole('heading', { name: 'O manual não tem esta página' })
  expect(screen.getByRole('link', { name: 'Ver as páginas do manual' }).getAttribute('href')).toBe('/ajuda')
})
