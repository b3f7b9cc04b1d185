import type { SystemStatus } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { SystemStatusPage } from './system-status-page.tsx'

const well = { estado: 'ok', frase: 'Tudo em ordem.' } as const
const status: SystemStatus = {
  estado: 'ok',
  verificadoEm: '2026-11-24T13:05:09.000Z',
  no: {
    nome: 'bi-1:3000',
    versao: '0.2.0',
    versaoNode: 'v24.21.0',
    iniciadoEm: '2026-11-24T09:05:09.000Z',
    segundosNoAr: 14_400,
  },
  relogio: { ...well, diferencaMs: -150 },
  banco: {
    ...well,
    tipo: 'postgresql',
    versao: '17.2',
    tamanhoBytes: 12_897_484,
    respostaMs: 3,
    ultimaMigracao: '0022_system_status',
    ultimaMigracaoEm: '2026-11-20T13:00:00.000Z',
  },
  disco: { ...well, pasta: '/dados', livreBytes: 2 ** 33, totalBytes: 2 ** 35, minimoBytes: 200 * 2 ** 20 },
  email: {
    ...well,
    modo: 'smtp',
    destino: 'correio.exemplo.com.br:587',
    aguardando: 0,
    maisAntigaEm: null,
    ultimaEntregaEm: null,
    falhandoDesde: null,
    falhas: [],
  },
  servicoRelatorios: null,
  conexoes: { ...well, total: 0, lista: [] },
  copiaSeguranca: { ...well, ultimaEm: null, destino: null, verificada: null, emAndamentoDesde: null },
  certificados: { ...well, lista: [] },
  segredos: { ...well, lista: [] },
  filas: { ...well, lista: [] },
}

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = async () => {
  const router = createMemoryRouter([{ path: '/situacao', element: <SystemStatusPage /> }], {
    initialEntries: ['/situacao'],
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByText(/precisa/)
}
const card = (name: string) => within(screen.getByRole('region', { name }))

test('the system status page says that nothing needs action, and which node answered', async () => {
  answerWith({ 'GET /api/sistema/situacao': () => Response.json(status) })
  await open()
  expect(screen.getByText('Nada precisa de você agora.')).toBeTruthy()
  expect(screen.getByText('Verificado em 24/11/2026 10:05:09.')).toBeTruthy()
  expect(card('Portal').getByText('bi-1:3000')).toBeTruthy()
  expect(card('Banco de dados').getByText('12,3 MB')).toBeTruthy()
  expect(card('Espaço em disco').getByText('8 GB de 32 GB')).toBeTruthy()
  expect(card('Cópia de segurança').getByText('Nunca')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Serviço de relatórios' })).toBeNull()
})

test('the system status page lists items that need action first, failures before warnings, with links to their cards', async () => {
  const falha = { estado: 'falha', frase: 'No último teste, 1 conexão falhou.' } as const
  const lista = [{ ...falha, idPowerBI: 7, nome: 'Matriz', testadaEm: '2026-11-24T13:00:00.000Z' }]
  answerWith({
    'GET /api/sistema/situacao': () =>
      Response.json({
        ...status,
        estado: 'falha',
        disco: { ...status.disco, estado: 'atencao', frase: 'O disco está quase cheio.' },
        conexoes: { ...falha, total: 1, lista },
      }),
  })
  await open()
  const summary = card('2 itens precisam de você.')
  expect(summary.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Conexões de BI', '#conexoes'],
    ['Espaço em disco', '#disco'],
  ])
  expect(card('Conexões de BI').getByRole('link', { name: 'Matriz' }).getAttribute('href')).toBe(
    '/Registerpowerbi/7',
  )
  expect(card('Conexões de BI').getByRole('img', { name: 'Falha' })).toBeTruthy()
})

test('the system status page shows whether the test e-mail was delivered, or why it was not', async () => {
  let entregue = false
  const frase = 'O servidor de e-mail não respondeu: confira SMTP_URL, a rede e o firewall.'
  answerWith({
    'GET /api/sistema/situacao': () => Response.json(status),
    'POST /api/sistema/teste-email': () =>
      Response.json(
        entregue
          ? { entregue, para: 'ana@exemplo.com.br', frase: 'Aceita.', codigo: null }
          : { entregue, para: 'ana@exemplo.com.br', frase, codigo: 'ECONNECTION' },
      ),
  })
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Enviar teste' }))
  expect(await screen.findByText('Não entregue')).toBeTruthy()
  expect(screen.getByText(`${frase} Código: ECONNECTION.`)).toBeTruthy()
  entregue = true
  fireEvent.click(screen.getByRole('button', { name: 'Enviar teste' }))
  expect(await screen.findByText('Entregue')).toBeTruthy()
})
