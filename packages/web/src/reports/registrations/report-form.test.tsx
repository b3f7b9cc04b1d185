import type { Report } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/answers.ts'
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
  comentarios: false,
  filtrosPainel: null,
  logo: null,
  sensivel: false,
  versao: 1,
}
const sentence = /nenhum foi escolhido.*não abre para ninguém/

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const open = async (fields: Partial<Report>, update?: () => Response) => {
  const server = answerWith({
    'GET /api/usuarios/relatorio/7': () => Response.json({ ...report, ...fields }),
    'PUT /api/usuarios/relatorio/7': update ?? (() => Response.json(report)),
    'GET /api/usuarios/relatorio/operadoras': () => Response.json(['UNIMED', 'CNU']),
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

test('the report form warns that no role of the dataset is chosen until one is', async () => {
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

test('the report form asks first for the group, and then for the report, which is one of its reports', async () => {
  await open({})
  const group = screen.getByRole('combobox', { name: 'Grupo Relatório' })
  expect(group).toBe(document.querySelector('form :is(input:not([type="hidden"]), textarea, select)'))
  const after = group.compareDocumentPosition(screen.getByRole('combobox', { name: 'Report' }))
  expect(after).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

const advanced = () => screen.getByRole('button', { name: 'Avançado' })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Gravar' }))

test("the report form keeps the rare fields of the identity closed below 'Avançado' until one is filled", async () => {
  await open({})
  expect(advanced().getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByLabelText('Conjuntos de dados adicionais')).toBeNull()
  await userEvent.click(advanced())
  expect(screen.queryByLabelText('Usuário enviado')).toBeNull()
  await userEvent.click(screen.getByRole('switch', { name: /^Enviar a identidade da pessoa/ }))
  expect(screen.getByLabelText('Usuário enviado')).toBeDefined()
})

test('the report form marks the data as sensitive', async () => {
  const server = await open({})
  await userEvent.click(screen.getByRole('switch', { name: /^Dados sensíveis/ }))
  await save()
  await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
  expect(server.of('PUT')[0]?.body).toMatchObject({ sensivel: true })
})

test('the report form switches the comments on', async () => {
  const server = await open({})
  await userEvent.click(screen.getByRole('switch', { name: /^Comentários/ }))
  await save()
  await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
  expect(server.of('PUT')[0]?.body).toMatchObject({ comentarios: true })
})

test.each([
  { enviaIdentidade: true },
  { datasetsAdicionais: ['aaaaaaaa-0000-4000-8000-000000000002'] },
  { usuarioIdentidade: 'perfil', papeisRls: ['Regional'] },
])("the report form opens 'Avançado' for %o", async (fields) => {
  await open(fields)
  expect(advanced().getAttribute('aria-expanded')).toBe('true')
})

test("the report form opens 'Avançado' for an error in it, and focuses the field", async () => {
  await open({ papeisRls: ['Regional'] }, () =>
    problem(422, 'Confira.', { usuarioIdentidade: 'Sem espaços.' }),
  )
  await save()
  await screen.findByText('Sem espaços.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Usuário enviado')))
})

test("the form does not send 'Usuário enviado' of a report without an identity", async () => {
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

test('the report form suggests the operadoras in use before those of the specification, and needs one', async () => {
  const server = await open({})
  const operadora = screen.getByRole('combobox', { name: 'Operadora Relatório' })
  await userEvent.click(operadora)
  await screen.findByRole('option', { name: 'BRADESCO' })
  await userEvent.clear(operadora)
  await userEvent.type(operadora, 'BRADESCO')
  expect(within(screen.getByRole('listbox')).getAllByRole('option')).toHaveLength(1)
  await userEvent.clear(operadora)
  await screen.findByRole('option', { name: 'UNIMED' })
  const suggestions = within(screen.getByRole('listbox'))
  expect(suggestions.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Todas',
    'UNIMED',
    'CNU',
    'BRADESCO',
    'PARANA_CLINICAS',
    'SANTA_CASA',
  ])
  await save()
  expect(server.of('PUT')).toEqual([])
  expect(operadora.getAttribute('aria-invalid')).toBe('true')
  await userEvent.type(operadora, 'UNIMED')
  await save()
  await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
  expect(server.of('PUT')[0]?.body).toMatchObject({ operadoraRelatorio: 'UNIMED' })
})

describe('Filtros do painel', () => {
  const mode = () => screen.getByRole('combobox', { name: 'Filtros do painel' })
  const fill = async (label: string, text: string) => {
    await userEvent.clear(screen.getByLabelText(label))
    await userEvent.type(screen.getByLabelText(label), text)
  }
  const sent = async (server: Awaited<ReturnType<typeof open>>) => {
    await save()
    await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
    return (server.of('PUT')[0]?.body as { filtrosPainel?: unknown } | undefined)?.filtrosPainel
  }

  test('Filtros do painel declares a column with label, values in their order, and default', async () => {
    const server = await open({})
    await userEvent.selectOptions(mode(), 'Os que eu informar aqui')
    await fill('Tabela', 'Calendário')
    await fill('Coluna', 'ano')
    await fill('Rótulo', 'Ano')
    await userEvent.selectOptions(screen.getByLabelText('Valores são'), 'Números')
    await fill('Valores', '2026 = Este ano{Enter}2025')
    await userEvent.selectOptions(screen.getByLabelText('Padrão'), 'Este ano')
    expect(await sent(server)).toEqual([
      {
        tabela: 'Calendário',
        coluna: 'ano',
        rotulo: 'Ano',
        padrao: 2026,
        valores: [
          { valor: 2026, rotulo: 'Este ano' },
          { valor: 2025, rotulo: '' },
        ],
      },
    ])
  })

  const declared = ['A', 'B'].map((rotulo) => ({
    tabela: 'T',
    coluna: rotulo,
    rotulo,
    padrao: true,
    valores: [
      { valor: true, rotulo: 'Sim' },
      { valor: false, rotulo: '' },
    ],
  }))

  test('Filtros do painel sends an unchanged declaration unchanged', async () => {
    const plain = declared.map((filter) => ({ ...filter, valores: [{ valor: true, rotulo: 'x' }] }))
    const texts = [
      { ...plain[0], coluna: 'C', rotulo: 'C', padrao: null, valores: [{ valor: 'a = b', rotulo: '' }] },
    ]
    const server = await open({ filtrosPainel: [...plain, ...texts] as Report['filtrosPainel'] })
    expect(await sent(server)).toEqual([...plain, ...texts])
  })

  test('Filtros do painel moves and removes filters, and returns to those of the report without any', async () => {
    const server = await open({ filtrosPainel: declared })
    await userEvent.click(screen.getByRole('button', { name: 'Subir Filtro 2' }))
    expect(screen.getAllByLabelText<HTMLInputElement>('Rótulo').map(({ value }) => value)).toEqual(['B', 'A'])
    await userEvent.click(screen.getByRole('button', { name: 'Retirar Filtro 1' }))
    expect(screen.getAllByLabelText<HTMLInputElement>('Rótulo').map(({ value }) => value)).toEqual(['A'])
    await userEvent.click(screen.getByRole('button', { name: 'Retirar Filtro 1' }))
    expect(await sent(server)).toBeNull()
  })

  test('Filtros do painel hides the panel', async () => {
    const server = await open({})
    await userEvent.selectOptions(mode(), 'Nenhum: esconder o painel')
    expect(await sent(server)).toEqual([])
  })

  test('Filtros do painel shows the error of a value at its filter', async () => {
    await open({ filtrosPainel: declared }, () =>
      problem(422, 'Confira.', { 'filtrosPainel.1.valores': 'O valor x se repete.' }),
    )
    await save()
    await screen.findAllByText(/O valor x se repete\./)
    const [first, second] = screen.getAllByLabelText('Valores')
    expect([first, second].map((field) => field?.getAttribute('aria-invalid'))).toEqual([null, 'true'])
  })
})
