import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/answers.ts'
import { aRun, aSubscription } from '../../../test/subscriptions.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { SubscriptionRow } from './subscription-row.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const testRun = aRun({ idExecucao: 32, causa: 'TESTE', estado: 'EM_ANDAMENTO', terminadaEm: null })

const show = (answers: Record<string, () => Response> = {}, subscription = aSubscription()) => {
  const server = answerWith({
    'POST /api/assinaturas/5/teste': () => Response.json(testRun, { status: 201 }),
    'GET /api/assinaturas/5/execucoes': () => Response.json([{ ...testRun, estado: 'CONCLUIDA' }]),
    'PUT /api/assinaturas/5/ativa': () => Response.json({ ...subscription, ativa: !subscription.ativa }),
    ...answers,
  })
  const nothing = () => undefined
  const element = <SubscriptionRow one={subscription} onEdit={nothing} onDelete={nothing} />
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return server
}

const sendNow = () => userEvent.click(screen.getByRole('button', { name: /^Enviar agora a mim/ }))

test('the subscription row says when and what is sent', () => {
  show({}, aSubscription({ ultima: aRun({ estado: 'FALHOU', frase: 'O serviço de BI não respondeu.' }) }))
  expect(screen.getByText('Toda segunda-feira às 07:30 · Página “Visão geral” · PDF anexado')).toBeDefined()
  expect(
    screen.getByText(/Próximo envio: 30\/11\/2026 07:30\. Último: falhou .* O serviço de BI não respondeu\./),
  ).toBeDefined()
})

test('the subscription row sends a test to oneself and says once it has arrived', async () => {
  const server = show()
  await sendNow()
  expect(await screen.findByText('Enviado para o seu e-mail.')).toBeDefined()
  expect(server.of('POST').map(({ url }) => url)).toEqual(['/api/assinaturas/5/teste'])
})

test.each([
  [0, 'Gerando o relatório e enviando a você…'],
  [61_000, /demorando mais que o normal.*o resultado aparece em “Ver envios”/],
])('the subscription row says what happens %i ms after a test was asked for', async (ms, text) => {
  const waiting = { ...testRun, previstaEm: new Date(Date.now() - ms).toISOString() }
  show({
    'POST /api/assinaturas/5/teste': () => Response.json(waiting, { status: 201 }),
    'GET /api/assinaturas/5/execucoes': () => Response.json([waiting]),
  })
  await sendNow()
  expect(await screen.findByText(text)).toBeDefined()
})

test('the subscription row says why a test was not sent', async () => {
  const frase = 'O relatório não conseguiu ler os dados de um visual.'
  show({ 'GET /api/assinaturas/5/execucoes': () => Response.json([{ ...testRun, estado: 'FALHOU', frase }]) })
  await sendNow()
  expect(await screen.findByText(frase)).toBeDefined()
})

test('the subscription row says why a test is refused', async () => {
  const refusal = 'O seu e-mail ainda não foi confirmado.'
  show({ 'POST /api/assinaturas/5/teste': () => problem(409, refusal) })
  await sendNow()
  expect(await screen.findByText(refusal)).toBeDefined()
})

test('an owner who left receives the subscription again', async () => {
  const sairam = [{ idUsuario: 1, nomeUsuario: 'Ana Martins' }]
  const server = show(
    { 'DELETE /api/assinaturas/5/saida': () => new Response(null, { status: 204 }) },
    aSubscription({ sairam, destinatarios: 0 }),
  )
  expect(screen.getByText('Você saiu')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Voltar a receber: Custos da semana' }))
  await waitFor(() => expect(server.of('DELETE')).toHaveLength(1))
})

test('the subscription row offers no return where only another person left', () => {
  show({}, aSubscription({ sairam: [{ idUsuario: 2, nomeUsuario: 'Bia Souza' }] }))
  expect(screen.queryByRole('button', { name: /^Voltar a receber/ })).toBeNull()
})
