import type { Report } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/medical-records.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { ReportFormPage } from './report-form.tsx'

const report: Report = {
  idRelatorio: 7,
  idGrupoRelatorio: 3,
  nomeGrupo: 'Assistencial',
  nomeRelatorio: 'Sinistralidade',
  operadoraRelatorio: 'CNU',
  reportId: 'aaaaaaaa-0000-4000-8000-000000000001',
  filtro: null,
  papeisRls: [],
  enviaIdentidade: false,
  usuarioIdentidade: null,
  datasetsAdicionais: [],
  tipoRelatorio: 'INTERATIVO',
  parametros: [],
  painelParametros: true,
  logo: null,
  versao: 1,
}
const sentence = /nenhum foi escolhido.*não abre para ninguém/

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const open = async (fields: Partial<Report>, update?: () => Response) => {
  const server = answerWith({
    'GET /api/usuarios/relatorio/7': () => Response.json({ ...report, ...fields }),
    'PUT /api/usuarios/relatorio/7': update ?? (() => Response.json(report)),
    'GET /api/usuarios/relatorio/7/papeis': () =>
      Response.json({ temPapeis: true, exigePapeis: true, exigeIdentidade: true }),
  })
  const router = createMemoryRouter([{ path: '/relatorio/:report', element: <ReportFormPage /> }], {
    initialEntries: ['/relatorio/7'],
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByDisplayValue('Sinistralidade')
  return server
}

test('warns that no role of the dataset is chosen until one is', async () => {
  await open({})
  expect((await screen.findByText(sentence)).getAttribute('role')).toBe('status')
  await userEvent.type(screen.getByPlaceholderText('Nome do papel no modelo'), 'Regional{Enter}')
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
})

test('neither warns nor requests the roles when a role is chosen', async () => {
  const server = await open({ papeisRls: ['Regional'] })
  expect(screen.getByText('Regional')).toBeDefined()
  expect(screen.queryByText(sentence)).toBeNull()
  expect(server.sent.some(({ url }) => url.includes('papeis'))).toBe(false)
})

const advanced = () => screen.getByRole('button', { name: 'Avançado' })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Gravar' }))

test("keeps the rare fields of the identity closed below 'Avançado' until one is filled", async () => {
  await open({})
  expect(advanced().getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByLabelText('Conjuntos de dados adicionais')).toBeNull()
  await userEvent.click(advanced())
  expect(screen.queryByLabelText('Usuário enviado')).toBeNull()
  await userEvent.click(screen.getByRole('switch', { name: /^Enviar a identidade da pessoa/ }))
  expect(screen.getByLabelText('Usuário enviado')).toBeDefined()
})

test.each([
  { enviaIdentidade: true },
  { datasetsAdicionais: ['aaaaaaaa-0000-4000-8000-000000000002'] },
  { usuarioIdentidade: 'perfil', papeisRls: ['Regional'] },
])("opens 'Avançado' for %o", async (fields) => {
  await open(fields)
  expect(advanced().getAttribute('aria-expanded')).toBe('true')
})

test("opens 'Avançado' for an error in it, and focuses the field", async () => {
  await open({ papeisRls: ['Regional'] }, () =>
    problem(422, 'Confira.', { usuarioIdentidade: 'Sem espaços.' }),
  )
  await save()
  await screen.findByText('Sem espaços.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Usuário enviado')))
})

test("does not send 'Usuário enviado' of a report without an identity", async () => {
  const server = await open({ enviaIdentidade: true, usuarioIdentidade: 'perfil' })
  await userEvent.click(screen.getByRole('switch', { name: /^Enviar a identidade da pessoa/ }))
  await save()
  await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
  expect(server.of('PUT')[0]?.body).toMatchObject({ enviaIdentidade: false, usuarioIdentidade: '' })
})

test('a paginated report has parameters instead of a filter, and no data time', async () => {
  const server = await open({ papeisRls: ['x'], tipoRelatorio: 'PAGINADO', parametros: ['Ano=2026'] })
  await screen.findByText('Ano=2026')
  expect(screen.queryByLabelText(/^Filtro/)).toBeNull()
  expect(screen.queryByRole('region', { name: 'Atualização dos dados' })).toBeNull()
  await userEvent.type(screen.getByRole('combobox', { name: 'Parâmetros' }), 'Cidade=São José, SC{Enter}')
  await userEvent.click(screen.getByRole('switch', { name: /^Quem abre escolhe os parâmetros/ }))
  await save()
  await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
  expect(server.of('PUT')[0]?.body).toMatchObject({
    tipoRelatorio: 'PAGINADO',
    filtro: null,
    parametros: ['Ano=2026', 'Cidade=São José, SC'],
    painelParametros: false,
  })
})
