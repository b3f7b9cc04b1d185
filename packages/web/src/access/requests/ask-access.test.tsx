import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { AskAccess } from './ask-access.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const report = {
  groupId: 'AAAAAAAA-0000-4000-8000-000000000001',
  reportId: 'bbbbbbbb-0000-4000-8000-000000000002',
}
const request = {
  idPedido: 3,
  motivo: 'Fecho o mês com ele.',
  situacao: 'ABERTO',
  criadoEm: '2026-11-20T12:00:00.000Z',
  respondidoEm: null,
  mensagem: null,
  groupId: report.groupId.toLowerCase(),
  reportId: report.reportId,
  idRelatorio: null,
  nomeRelatorio: null,
}

const show = () =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <AskAccess report={report} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )

test('the request sends the reason, and then says since when the request waits', async () => {
  let requests: object[] = []
  const { of } = answerWith({
    'GET /api/meus-pedidos-acesso': () => Response.json(requests),
    'POST /api/meus-pedidos-acesso': () => {
      requests = [request]
      return Response.json(request, { status: 201 })
    },
  })
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Pedir acesso' }))
  fireEvent.change(await screen.findByLabelText('Motivo'), { target: { value: request.motivo } })
  fireEvent.click(screen.getByRole('button', { name: 'Enviar pedido' }))
  await screen.findByText('Pedido enviado!')
  expect(of('POST')[0]?.body).toEqual({ ...report, motivo: request.motivo })
  fireEvent.click(screen.getByRole('button', { name: 'Fechar' }))
  expect(
    (await screen.findByRole('link', { name: 'Acesso pedido em 20/11/2026' })).getAttribute('href'),
  ).toBe('/meus-pedidos-acesso')
})

test('the request keeps the reason when the daily limit refuses the request', async () => {
  answerWith({
    'GET /api/meus-pedidos-acesso': () => Response.json([{ ...request, situacao: 'RECUSADO' }]),
    'POST /api/meus-pedidos-acesso': () => problem(429, 'Você já enviou 10 pedidos nas últimas 24 horas.'),
  })
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Pedir acesso' }))
  const reason = await screen.findByLabelText<HTMLTextAreaElement>('Motivo')
  fireEvent.change(reason, { target: { value: 'Preciso.' } })
  fireEvent.click(screen.getByRole('button', { name: 'Enviar pedido' }))
  await screen.findByText(/10 pedidos nas últimas 24 horas/)
  expect(reason.value).toBe('Preciso.')
})
