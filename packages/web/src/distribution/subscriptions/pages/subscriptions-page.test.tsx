import type { ReceivedSubscription } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, listOf } from '../../../../test/answers.ts'
import { aRun, aSubscription } from '../../../../test/subscriptions.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { startSession } from '../../../lib/session/session.ts'
import { RulesPage } from './rules-page.tsx'
import { SubscriptionPage } from './subscription-page.tsx'
import { SubscriptionsPage } from './subscriptions-page.tsx'

beforeEach(() => startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: 1, tipo: 'ADMIN' }))
afterEach(() => vi.unstubAllGlobals())

const open = (Page: ComponentType, path: string, address = path) => {
  const router = createMemoryRouter([{ path, element: <Page /> }], { initialEntries: [address] })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const { relatorio, ...own } = aSubscription()
const received = (saiu: boolean): ReceivedSubscription => ({
  idAssinatura: 8,
  assunto: 'Resumo da diretoria',
  relatorio: relatorio ?? ({} as never),
  formato: 'PDF',
  entrega: 'LINK',
  frequencia: own.frequencia,
  horario: own.horario,
  diaSemana: own.diaSemana,
  diaMes: null,
  fuso: own.fuso,
  ativa: true,
  nomeDono: 'Bia Lopes',
  saiu,
  proximaEm: own.proximaEm,
})

test('the subscriptions page leaves a received subscription, and returns to it', async () => {
  let hasLeft = false
  const server = answerWith({
    'GET /api/assinaturas/minhas': () => Response.json([]),
    'GET /api/assinaturas/recebidas': () => Response.json([received(hasLeft)]),
    'POST /api/assinaturas/8/saida': () => {
      hasLeft = true
      return new Response(null, { status: 204 })
    },
    'DELETE /api/assinaturas/8/saida': () => {
      hasLeft = false
      return new Response(null, { status: 204 })
    },
  })
  open(SubscriptionsPage, '/assinaturas')
  await screen.findByText(/Você ainda não assinou nenhum relatório/)
  expect(screen.getByText(/feita por Bia Lopes/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Deixar de receber: Resumo da diretoria' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Voltar a receber: Resumo da diretoria' }))
  await screen.findByRole('button', { name: 'Deixar de receber: Resumo da diretoria' })
  expect(server.sent.filter(({ method }) => method !== 'GET').map(({ method }) => method)).toEqual([
    'POST',
    'DELETE',
  ])
})

test('the subscriptions page shows the runs of a subscription and the e-mail of each recipient', async () => {
  const frase = 'Um destinatário não pode mais ver o relatório.'
  answerWith({
    'GET /api/assinaturas/5': () => Response.json(aSubscription()),
    'GET /api/assinaturas/5/execucoes': () =>
      listOf([aRun({ estado: 'PARCIAL', frase, destinatarios: 2, puladas: 1 })]),
    'GET /api/assinaturas/5/execucoes/31/entregas': () =>
      listOf([
        {
          idUsuario: 4,
          nomeUsuario: 'Caio Reis',
          estado: 'PULADA',
          motivo: 'Não pode ver o relatório.',
          em: '2026-11-23T10:30:20.000Z',
        },
      ]),
  })
  open(SubscriptionPage, '/assinaturas/:assinatura', '/assinaturas/5')
  await screen.findByRole('heading', { name: 'Custos da semana' })
  expect(await screen.findByText(frase)).toBeDefined()
  expect(screen.getByText('1 enviado, 1 não enviado')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: /^Ver destinatários/ }))
  expect(await screen.findByText('Caio Reis')).toBeDefined()
  expect(screen.getByText('Não pode ver o relatório.')).toBeDefined()
})

const rules = { dominios: ['exemplo.com.br'], anexosRestritos: false, anexoMb: 10, versao: 2 }

test('the page changes the rules with their version', async () => {
  const server = answerWith({
    'GET /api/configuracao/assinaturas': () => Response.json(rules),
    'PUT /api/configuracao/assinaturas': () => Response.json({ ...rules, anexosRestritos: true, versao: 3 }),
  })
  open(RulesPage, '/assinaturas/regras')
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Gravar' })
  expect(save.disabled).toBe(true)
  await userEvent.click(screen.getByRole('switch', { name: /^Permitir anexos de relatórios restritos/ }))
  await userEvent.click(save)
  await screen.findByText('Regras gravadas!')
  const [call] = server.of('PUT')
  expect(call?.headers['if-match']).toBe('"2"')
  expect(call?.body).toEqual({ dominios: ['exemplo.com.br'], anexosRestritos: true, anexoMb: 10 })
})

test('the page names a text that is not a domain', async () => {
  const server = answerWith({ 'GET /api/configuracao/assinaturas': () => Response.json(rules) })
  open(RulesPage, '/assinaturas/regras')
  const field = await screen.findByLabelText('Domínios permitidos', { selector: 'input' })
  await userEvent.type(field, 'sem ponto{Enter}')
  expect(await screen.findByText(/“sem ponto” não é um domínio/)).toBeDefined()
  await waitFor(() => expect(server.of('PUT')).toHaveLength(0))
})

test('the link to the report names the subscription, also a received one, unless the person left', async () => {
  const links = async () =>
    (await screen.findAllByRole('link', { name: 'Sinistralidade' })).map((one) =>
      new URL(one.getAttribute('href') ?? '', 'http://portal').searchParams.toString(),
    )
  answerWith({
    'GET /api/assinaturas/minhas': () => Response.json([aSubscription()]),
    'GET /api/assinaturas/recebidas': () =>
      Response.json([received(false), { ...received(true), idAssinatura: 9 }]),
  })
  open(SubscriptionsPage, '/assinaturas')
  await screen.findAllByText(/feita por Bia Lopes/)
  expect(await links()).toEqual(['relatorio=7&assinatura=5', 'relatorio=7&assinatura=8', 'relatorio=7'])
})

test("an ADMIN sees that another person's filters are hidden, and neither changes nor sends it", async () => {
  const others = aSubscription({
    dono: { idUsuario: 2, nomeUsuario: 'Bia' },
    mostraEscolha: false,
    filtros: {},
    marcador: null,
  })
  answerWith({
    'GET /api/assinaturas/5': () => Response.json(others),
    'GET /api/assinaturas/5/execucoes': () => listOf([]),
  })
  open(SubscriptionPage, '/assinaturas/:assinatura', '/assinaturas/5')
  expect(await screen.findByText(/^Não mostrados: neste relatório cada pessoa vê linhas/)).toBeDefined()
  const send = screen.getByRole<HTMLButtonElement>('button', { name: /^Enviar agora a mim/ })
  expect(send.disabled).toBe(true)
  const link = screen.getByRole('link', { name: 'Sinistralidade' })
  expect(link.getAttribute('href')).not.toContain('assinatura=')
  await userEvent.click(screen.getByRole('button', { name: 'Ações da assinatura Custos da semana' }))
  await screen.findByRole('menuitem', { name: 'Pausar' })
  expect(screen.queryByRole('menuitem', { name: 'Editar' })).toBeNull()
})
