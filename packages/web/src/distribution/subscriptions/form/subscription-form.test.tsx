import type { SubscribedVisual, SubscriptionFormat } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { answerWith, listOf, problem } from '../../../../test/answers.ts'
import { aSubscription, someOptions } from '../../../../test/subscriptions.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { startSession } from '../../../lib/session/session.ts'
import { SubscriptionForm } from './subscription-form.tsx'

const shown = {
  pagina: 'geral',
  tituloPagina: 'Visão geral',
  filtros: { operadora: 'CNU' },
  marcador: null,
  isTooLong: false,
}

const signIn = (tipo: 'ADMIN' | 'USER') =>
  startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: 1, tipo })

beforeEach(() => signIn('USER'))
afterEach(() => vi.unstubAllGlobals())

interface Opening {
  options?: Parameters<typeof someOptions>[0]
  answer?: () => ReturnType<typeof someOptions>
  subscription?: ReturnType<typeof aSubscription>
  isPaginated?: boolean
  visuais?: SubscribedVisual[] | undefined
  create?: () => Response
}

const open = async ({
  options,
  answer,
  subscription,
  isPaginated = false,
  visuais,
  create,
}: Opening = {}) => {
  const server = answerWith({
    'GET /api/usuarios/relatorio/7/assinaturas/opcoes': () =>
      Response.json(answer?.() ?? someOptions(options)),
    'GET /api/usuarios/relatorio/7/visoes': () =>
      Response.json([
        {
          idVisao: 9,
          nome: 'Diretoria',
          padrao: false,
          pagina: 'geral',
          filtros: {},
          marcador: null,
          versao: 1,
        },
      ]),
    'GET /api/usuarios': () =>
      listOf([{ idUsuario: 4, nomeUsuario: 'Bia Lopes', emailUsuario: 'bia@exemplo.com.br' }]),
    'POST /api/usuarios/relatorio/7/assinaturas':
      create ?? (() => Response.json(aSubscription(), { status: 201 })),
    'PUT /api/assinaturas/5': () => Response.json(aSubscription({ versao: 4 })),
  })
  const onSaved = vi.fn()
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <SubscriptionForm
          idRelatorio={7}
          nomeRelatorio="Sinistralidade"
          isPaginated={isPaginated}
          subscription={subscription}
          screen={isPaginated ? undefined : { ...shown, visuais }}
          parametros={isPaginated ? ['Ano=2026'] : undefined}
          onSaved={onSaved}
          onCancel={() => undefined}
        />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByLabelText('Assunto')
  return { server, onSaved }
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('the subscription form subscribes to the page on the screen, and says in words when', async () => {
  const { server, onSaved } = await open()
  expect(screen.getByText(/Com os filtros Operadora: CNU/)).toBeDefined()
  expect(screen.getByText(/^Toda segunda-feira às 07:30/)).toBeDefined()
  await userEvent.selectOptions(screen.getByLabelText('Frequência'), 'MENSAL')
  await userEvent.selectOptions(screen.getByLabelText('Dia do mês'), 'ULTIMO_UTIL')
  expect(screen.getByText(/^No último dia útil do mês às 07:30/)).toBeDefined()
  await press('Assinar')
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(server.of('POST')[0]?.body).toMatchObject({
    assunto: 'Sinistralidade',
    pagina: 'geral',
    filtros: { operadora: 'CNU' },
    formato: 'PDF',
    entrega: 'ANEXO',
    frequencia: 'MENSAL',
    diaMes: 'ULTIMO_UTIL',
    idPessoas: [],
  })
  expect(screen.queryByText('Para quem')).toBeNull()
})

test('the subscription form subscribes to a saved view', async () => {
  const { server } = await open()
  await screen.findByRole('option', { name: 'Visão “Diretoria”' })
  await userEvent.selectOptions(screen.getByLabelText('Conteúdo'), '9')
  await press('Assinar')
  await waitFor(() => expect(server.of('POST')).toHaveLength(1))
  expect(server.of('POST')[0]?.body).toMatchObject({ idVisao: 9, pagina: null, filtros: {} })
})

test('the subscription form offers only a link, with the reason, where attachments are refused', async () => {
  await open({ options: { semAnexo: 'Este relatório mostra linhas diferentes a cada pessoa.' } })
  expect(screen.getByText('Este relatório mostra linhas diferentes a cada pessoa.')).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>('PDF anexado').disabled).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Só um link').checked).toBe(true)
})

test('the subscription form offers neither what the provider cannot tell nor other formats of a paginated report', async () => {
  const { server } = await open({
    isPaginated: true,
    options: { formatos: ['PDF'], sabeVazio: false, sabeAtualizacao: false },
  })
  expect(screen.queryByLabelText('Imagem no e-mail')).toBeNull()
  expect(screen.queryByRole('switch')).toBeNull()
  expect(screen.queryByRole('option', { name: /atualização/ })).toBeNull()
  await userEvent.clear(screen.getByLabelText('Ano'))
  await userEvent.type(screen.getByLabelText('Ano'), '2025')
  await press('Assinar')
  await waitFor(() => expect(server.of('POST')).toHaveLength(1))
  expect(server.of('POST')[0]?.body).toMatchObject({ parametros: ['Ano=2025'], pagina: null })
})

const sheets = { formatos: ['PDF', 'PNG', 'XLSX'] as SubscriptionFormat[] }
const visuais = [
  { nome: 'custo', titulo: 'Custo por mês' },
  { nome: 'vidas', titulo: 'Vidas' },
]

test('the subscription form subscribes to a spreadsheet of the visuals that stay ticked', async () => {
  const { server } = await open({ options: sheets, visuais })
  expect(screen.queryByRole('group', { name: 'Visuais da planilha' })).toBeNull()
  await userEvent.click(screen.getByLabelText('Planilha (XLSX)'))
  expect(screen.getByLabelText<HTMLInputElement>('Custo por mês').checked).toBe(true)
  await userEvent.click(screen.getByLabelText('Vidas'))
  await userEvent.click(screen.getByLabelText('Custo por mês'))
  await press('Assinar')
  expect(await screen.findByText('Marque ao menos um visual.')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Custo por mês'))
  expect(server.of('POST')).toEqual([])
  await userEvent.keyboard(' ')
  await press('Assinar')
  await waitFor(() => expect(server.of('POST')).toHaveLength(1))
  expect(server.of('POST')[0]?.body).toMatchObject({
    formato: 'XLSX',
    entrega: 'ANEXO',
    pagina: 'geral',
    visuais: [visuais[0]],
  })
})

test('the subscription form subscribes to a spreadsheet of all visuals of the report, or when they are not known', async () => {
  const { server } = await open({ options: sheets })
  await userEvent.click(screen.getByLabelText('Planilha (XLSX)'))
  expect(screen.getByText('A planilha leva todos os visuais da página que têm dados.')).toBeDefined()
  await userEvent.click(screen.getByText('Relatório inteiro'))
  expect(screen.queryByText(/^A planilha leva/)).toBeNull()
  await press('Assinar')
  await waitFor(() => expect(server.of('POST')).toHaveLength(1))
  expect(server.of('POST')[0]?.body).toMatchObject({ formato: 'XLSX', pagina: null, visuais: [] })
})

test('the subscription form offers no spreadsheet where the provider writes none', async () => {
  await open({ visuais })
  expect(screen.queryByLabelText('Planilha (XLSX)')).toBeNull()
})

test('the subscription form keeps the stored format that the service cannot make now, and says so', async () => {
  const subscription = aSubscription({ formato: 'PNG' })
  const { server } = await open({ subscription, options: { formatos: ['XLSX'] } })
  expect(screen.getByLabelText<HTMLInputElement>('Imagem no e-mail').checked).toBe(true)
  expect(screen.getByText(/^O serviço de relatórios não gera este formato agora\./)).toBeDefined()
  await userEvent.type(screen.getByLabelText('Assunto'), ' 2')
  await press('Salvar')
  await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
  expect(server.of('PUT')[0]?.body).toMatchObject({ formato: 'PNG', entrega: 'ANEXO' })
})

test('the subscription form offers only a link while the report service does not answer, and says so until it answers', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const away = someOptions({ formatos: [], servicoResponde: false })
  const answers = [away, someOptions()]
  const { server } = await open({ answer: () => answers.shift() ?? someOptions() })
  expect(screen.getByText(/^O serviço de relatórios não responde agora/)).toBeDefined()
  expect(screen.getAllByRole('radio', { name: /link|PDF|Imagem|Planilha/ })).toHaveLength(1)
  expect(screen.getByLabelText<HTMLInputElement>('Só um link').checked).toBe(true)
  await vi.advanceTimersByTimeAsync(10_000)
  await userEvent.click(await screen.findByLabelText('PDF anexado'))
  expect(screen.queryByText(/não responde agora/)).toBeNull()
  await press('Assinar')
  await waitFor(() => expect(server.of('POST')).toHaveLength(1))
  expect(server.of('POST')[0]?.body).toMatchObject({ formato: 'PDF', entrega: 'ANEXO' })
})

test('the subscription form keeps the stored format while the report service does not answer', async () => {
  const subscription = aSubscription({ formato: 'PNG' })
  await open({ subscription, options: { formatos: [], servicoResponde: false } })
  expect(screen.getByLabelText<HTMLInputElement>('Imagem no e-mail').checked).toBe(true)
  expect(screen.getByText(/^O serviço de relatórios não responde agora/)).toBeDefined()
  expect(screen.queryByText(/não gera este formato agora/)).toBeNull()
})

test('the subscription form offers no format that the service cannot make to a subscription that does not have it', async () => {
  await open({ subscription: aSubscription({ formato: 'XLSX' }), options: { formatos: ['XLSX'] } })
  expect(screen.queryByLabelText('PDF anexado')).toBeNull()
  expect(screen.queryByText(/não gera este formato agora/)).toBeNull()
})

test('an ADMIN subscribes other people', async () => {
  signIn('ADMIN')
  const { server } = await open()
  await userEvent.click(screen.getByText('Pessoas e perfis'))
  await press('Assinar')
  expect(await screen.findByText('Escolha ao menos uma pessoa ou um perfil.')).toBeDefined()
  expect(server.of('POST')).toHaveLength(0)
  await userEvent.click(screen.getByLabelText('Pessoas'))
  await userEvent.click(await screen.findByText('Bia Lopes'))
  await press('Assinar')
  await waitFor(() => expect(server.of('POST')).toHaveLength(1))
  expect(server.of('POST')[0]?.body).toMatchObject({ idPessoas: [4], idPerfis: [] })
})

test('the subscription form shows an error of the server at its field', async () => {
  const refusal = 'Esta visão salva não existe mais. Escolha outra.'
  await open({ create: () => problem(422, 'Corrija os campos.', { idVisao: refusal }) })
  await press('Assinar')
  expect(await screen.findByText(refusal)).toBeDefined()
})

test('the subscription form changes a subscription with its version, and keeps what is stored', async () => {
  const { server } = await open({ subscription: aSubscription() })
  await userEvent.clear(screen.getByLabelText('Assunto'))
  await userEvent.type(screen.getByLabelText('Assunto'), 'Custos')
  await press('Salvar')
  await waitFor(() => expect(server.of('PUT')).toHaveLength(1))
  const [call] = server.of('PUT')
  expect(call?.headers['if-match']).toBe('"3"')
  expect(call?.body).toMatchObject({ assunto: 'Custos', filtros: { operadora: 'UNIMED' }, pagina: 'geral' })
})

test('the subscription form says why what is on the screen cannot be stored', async () => {
  const { server } = await open({ subscription: aSubscription({ marcador: 'não cabe' }) })
  await press('Salvar')
  expect(await screen.findByText('O marcador não é válido.')).toBeDefined()
  expect(server.of('PUT')).toHaveLength(0)
})
