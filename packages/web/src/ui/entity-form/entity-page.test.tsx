import { reportRegistrationsApi } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { problem } from '../../../test/answers.ts'
import { EntityPage, useEntityId } from './entity-page.tsx'

const Page = () => (
  <EntityPage
    id={useEntityId('report', 'idRelatorio')}
    queryKey={['relatorios']}
    endpoint={reportRegistrationsApi.get}
    title="Editar relatório"
    notFound="Relatório não encontrado"
    listPath="/relatorio"
  >
    {(report) => <p>{report ? `Relatório ${report.idRelatorio}` : 'Novo relatório'}</p>}
  </EntityPage>
)

const open = (address: string) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return url.endsWith('/7') ? Response.json({ idRelatorio: 7 }) : problem(404, 'Não existe.')
  })
  const router = createMemoryRouter([{ path: '/registro/:report?', Component: Page }], {
    initialEntries: [address],
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return asked
}

test.each([
  ['/registro/7', 'Relatório 7'],
  ['/registro?idRelatorio=7', 'Relatório 7'],
  ['/registro/7?idRelatorio=8', 'Relatório 7'],
  ['/registro', 'Novo relatório'],
  ['/registro?outro=7', 'Novo relatório'],
])('the record page of the address %s shows %s', async (address, shown) => {
  open(address)
  await screen.findByText(shown)
})

test.each(['/registro/8', '/registro?idRelatorio=8'])(
  'the record page of the address %s says that there is no such record',
  async (address) => {
    open(address)
    await screen.findByRole('heading', { name: 'Relatório não encontrado' })
  },
)

test.each([
  '/registro/custos',
  '/registro?idRelatorio=',
  '/registro?idRelatorio=-1',
  '/registro?idRelatorio=7a',
])(
  'the record page of the address %s, which names no number, says so and asks the server nothing',
  async (address) => {
    const asked = open(address)
    await screen.findByText('O endereço não traz o número de um cadastro.')
    expect(asked).toEqual([])
  },
)
