import { type Alert, problems } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anAlert, someAlertOptions, someVisuals } from '../../../test/alerts.ts'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import type { ChosenVisual } from '../../reports/viewer/frame/visual-commands.ts'
import AlertPanel from './alert-panel.tsx'

beforeEach(() => startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: 1, tipo: 'USER' }))
afterEach(() => vi.unstubAllGlobals())

const capture = async () => ({
  pagina: 'geral',
  marcador: null,
  isTooLong: false,
  filtros: { operadora: 'CNU' },
})

const open = (
  stored: Alert[],
  {
    visual,
    options = someAlertOptions(),
    segredo = null,
  }: { visual?: ChosenVisual; options?: ReturnType<typeof someAlertOptions>; segredo?: string | null } = {},
) => {
  const rows = [...stored]
  const server = answerWith({
    'GET /api/usuarios/relatorio/7/alertas': () => Response.json(rows),
    'GET /api/usuarios/relatorio/7/alertas/opcoes': () => Response.json(options),
    'POST /api/usuarios/relatorio/7/alertas/visuais': () => Response.json(someVisuals()),
    'POST /api/usuarios/relatorio/7/alertas/consulta': () => Response.json({ valor: 12.5 }),
    'POST /api/usuarios/relatorio/7/alertas': () => {
      rows.push(anAlert())
      return Response.json({ alerta: anAlert(), segredo }, { status: 201 })
    },
  })
  const close = vi.fn()
  const element = <AlertPanel report={{ capture }} idRelatorio={7} visual={visual} close={close} />
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const sent = () => server.of('POST').filter(({ url }) => url.endsWith('/alertas'))
  return { server, close, sent }
}

test('the alert panel makes an alert on a row of a table, with the filters on the screen', async () => {
  const { server, sent } = open([])
  await userEvent.selectOptions(await screen.findByLabelText('Visual'), 'Custos')
  expect(screen.getByText(/Agora:/).textContent).toMatch(/R\$\s900,00/)
  await userEvent.selectOptions(screen.getByLabelText('Linha'), 'OUTRA')
  expect(screen.getByText(/Agora:/).textContent).toMatch(/R\$\s600,00/)
  // A text cannot be compared.
  expect(within(screen.getByLabelText('Coluna')).queryByText('Operadora')).toBeNull()
  await userEvent.type(screen.getByLabelText('Limite'), '1.000,50')
  await userEvent.click(screen.getByRole('button', { name: 'Criar alerta' }))
  await screen.findByText(/^Alerta criado\. Você será avisado/)
  expect(sent()[0]?.body).toMatchObject({
    nomeAlerta: 'Custo – Custos – OUTRA',
    pagina: 'geral',
    visual: 'tabela',
    coluna: 'custo',
    limite: 1000.5,
    linha: { operadora: 'OUTRA' },
    filtros: { operadora: 'CNU' },
    frequencia: 'ATUALIZACAO',
  })
  expect(server.of('POST')[0]?.body).toEqual({ pagina: 'geral', filtros: { operadora: 'CNU' } })
  await screen.findByRole('list', { name: 'Seus alertas deste relatório' })
})

test('the alert panel begins with the visual whose menu was used, also beside other alerts', async () => {
  open([anAlert()], { visual: { pagina: 'geral', visual: 'cartao', titulo: 'Custo total' } })
  expect(await screen.findByText(/Agora:/)).toBeDefined()
  expect((screen.getByLabelText('Visual') as HTMLSelectElement).value).toBe('cartao')
  // A card has one row.
  expect(screen.queryByLabelText('Linha')).toBeNull()
})

test('the alert panel says what is missing, and sends nothing', async () => {
  const { sent } = open([])
  await screen.findByLabelText('Visual')
  await userEvent.click(screen.getByRole('button', { name: 'Criar alerta' }))
  expect(await screen.findByText('Informe um número.')).toBeDefined()
  expect(sent()).toEqual([])
})

test('the alert panel lists the existing alerts first, with state and last value', async () => {
  open([
    anAlert({ estado: 'ATINGIDA' }),
    anAlert({ idAlerta: 6, nomeAlerta: 'Outro', falha: 'Não respondeu.' }),
  ])
  const list = await screen.findByRole('list', { name: 'Seus alertas deste relatório' })
  for (const text of ['Atingido', 'Com falha', 'Não respondeu.'])
    expect(within(list).getByText(text)).toBeDefined()
  expect(within(list).getAllByText(/R\$\s900,00/)).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: 'Novo alerta' }))
  await screen.findByLabelText('Visual')
})

test('the alert panel tests a DAX query, and shows the secret of a webhook once', async () => {
  startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: 1, tipo: 'ADMIN' })
  const options = someAlertOptions({ origem: 'DAX', podeWebhook: true })
  const { sent } = open([], { options, segredo: 'whsec_abc' })
  await userEvent.type(await screen.findByLabelText('Consulta DAX'), 'EVALUATE ROW("v", 1)')
  await userEvent.click(screen.getByRole('button', { name: 'Testar a consulta' }))
  expect(await screen.findByText('Resultado: 12,5')).toBeDefined()
  await userEvent.type(screen.getByLabelText('Nome do alerta'), 'Consulta')
  await userEvent.type(screen.getByLabelText('Limite'), '10')
  await userEvent.type(screen.getByLabelText('Webhook (opcional)'), 'https://exemplo.com.br/x')
  await userEvent.click(screen.getByRole('button', { name: 'Criar alerta' }))
  expect((await screen.findByTestId('segredo')).textContent).toBe('whsec_abc')
  expect(sent()[0]?.body).toMatchObject({ origem: 'DAX', consulta: 'EVALUATE ROW("v", 1)', visual: null })
  await userEvent.click(screen.getByRole('button', { name: 'Concluir' }))
  await screen.findByRole('list', { name: 'Seus alertas deste relatório' })
  expect(screen.queryByText('whsec_abc')).toBeNull()
})

test('the alert panel asks who the ADMIN is before it sends notices to a webhook from an old session', async () => {
  startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: 1, tipo: 'ADMIN' })
  const options = someAlertOptions({ origem: 'DAX', podeWebhook: true })
  const { server, sent } = open([], { options, segredo: 'whsec_abc' })
  const create = 'POST /api/usuarios/relatorio/7/alertas'
  const created = server.answers[create]
  const { status, title, detail } = problems.reautenticacao_necessaria
  const refusal = { type: 'x', title, status, detail, codigo: 'reautenticacao_necessaria', idRequisicao: '1' }
  Object.assign(server.answers, {
    [create]: () => Response.json(refusal, { status }),
    'GET /api/conta/confirmacao': () => Response.json({ meios: ['senha'] }),
    'GET /api/usuarios/sessao': () => Response.json({ emailUsuario: 'rita@exemplo.com.br' }),
    'POST /api/conta/confirmacao': () => {
      Object.assign(server.answers, { [create]: created })
      return new Response(null, { status: 204 })
    },
  })
  await userEvent.type(await screen.findByLabelText('Consulta DAX'), 'EVALUATE ROW("v", 1)')
  await userEvent.type(screen.getByLabelText('Nome do alerta'), 'Consulta')
  await userEvent.type(screen.getByLabelText('Limite'), '10')
  await userEvent.type(screen.getByLabelText('Webhook (opcional)'), 'https://exemplo.com.br/x')
  await userEvent.click(screen.getByRole('button', { name: 'Criar alerta' }))
  const dialog = await screen.findByRole('dialog', { name: 'Confirme que é você' })
  await userEvent.type(within(dialog).getByLabelText('Senha'), 'certa{Enter}')
  expect((await screen.findByTestId('segredo')).textContent).toBe('whsec_abc')
  expect(sent()).toHaveLength(2)
})

test('the alert panel says the condition while the address of the webhook is incomplete', async () => {
  open([], { options: someAlertOptions({ origem: 'DAX', podeWebhook: true }) })
  await userEvent.type(await screen.findByLabelText('Webhook (opcional)'), 'https:')
  expect(screen.getByText('Informe o limite.')).toBeDefined()
  await userEvent.type(screen.getByLabelText('Limite'), '10')
  expect(screen.getByText(/^Condição: acima de 10\./)).toBeDefined()
  await userEvent.selectOptions(screen.getByLabelText('Condição'), 'Variar')
  await userEvent.clear(screen.getByLabelText('Ao menos'))
  await userEvent.type(screen.getByLabelText('Ao menos'), '0')
  expect(screen.getByText('Informe o tamanho da variação.')).toBeDefined()
})

test('the alert panel says why a report has no alerts', async () => {
  const impedimento = 'Um relatório paginado não tem alertas.'
  open([], { options: someAlertOptions({ origem: null, impedimento }) })
  expect(await screen.findByText(impedimento)).toBeDefined()
})
