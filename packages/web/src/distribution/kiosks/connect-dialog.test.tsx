import type { Kiosk } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { ConnectDialog } from './connect-dialog.tsx'

afterEach(() => vi.unstubAllGlobals())

const kiosk: Kiosk = {
  idTelao: 3,
  nome: 'Recepção',
  paginas: [],
  aparencia: 'CLARO',
  ativo: true,
  validadeDias: 90,
  usuarioIdentidade: null,
  identidadeRls: null,
  redes: [],
  conectadaEm: '2026-03-01T12:00:00.000Z',
  conectadaPor: 'Ana',
  dispositivo: null,
  vistaEm: null,
  expiraEm: '2026-05-30T12:00:00.000Z',
  versao: 1,
}

const wrong = () =>
  Response.json(
    {
      type: 'urn:x',
      title: 'Campos inválidos',
      status: 422,
      detail: 'Confira os campos.',
      codigo: 'campos_invalidos',
      campos: { codigo: 'Código incorreto, vencido ou já usado.' },
      idRequisicao: 'r',
    },
    { status: 422, headers: { 'content-type': 'application/problem+json' } },
  )

const show = (answers: Record<string, () => Response>) => {
  const sent: [path: string, body: unknown][] = []
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    sent.push([path, JSON.parse(String(body))])
    return answers[path.split('/').at(-1) ?? '']?.() ?? new Response(null, { status: 404 })
  })
  const onConnected = vi.fn()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <ConnectDialog isOpen kiosk={kiosk} onClose={() => undefined} onConnected={onConnected} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { sent, onConnected }
}

test('the connect dialog shows which screen asked for the code before it connects it', async () => {
  const { sent, onConnected } = show({
    conferir: () =>
      Response.json({
        dispositivo: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
        endereco: '192.0.2.7',
        pedidoEm: new Date().toISOString(),
        expiraEm: new Date(Date.now() + 60_000).toISOString(),
      }),
    conectar: () => Response.json(kiosk),
  })
  await userEvent.type(screen.getByLabelText('Código'), 'bcdfghjk')
  expect(screen.getByLabelText('Código')).toHaveProperty('value', 'BCDF-GHJK')
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }))
  await screen.findByText('Chrome no Linux')
  expect(screen.getByText('192.0.2.7')).toBeTruthy()
  expect(screen.getByText(/A tela conectada agora volta à página do código/)).toBeTruthy()
  expect(sent).toEqual([['/api/usuarios/telao/3/conferir', { codigo: 'BCDFGHJK' }]])
  await userEvent.click(screen.getByRole('button', { name: 'Conectar esta tela' }))
  await vi.waitFor(() => expect(onConnected).toHaveBeenCalledWith(kiosk))
  expect(sent[1]).toEqual(['/api/usuarios/telao/3/conectar', { codigo: 'BCDFGHJK' }])
})

test('the connect dialog shows a wrong code at the field, and clears the message when it is corrected', async () => {
  const { onConnected } = show({ conferir: wrong })
  await userEvent.type(screen.getByLabelText('Código'), 'bcdfghjk')
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }))
  await screen.findByText('Código incorreto, vencido ou já usado.')
  await userEvent.type(screen.getByLabelText('Código'), '{Backspace}')
  expect(screen.queryByText('Código incorreto, vencido ou já usado.')).toBeNull()
  expect(onConnected).not.toHaveBeenCalled()
})
