import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Environment } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { EnvironmentNotice } from './environment-notice.tsx'

const ensaio = {
  restauradaEm: '2026-11-21T12:00:00.000Z',
  copiaDe: '2026-11-20T06:00:00.000Z',
  emailsRetidos: 2,
}
let environment: Environment
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/api/sistema/ambiente/producao')
      environment = { ensaio: null }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(environment))
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
})
afterAll(() => server.close())
beforeEach(() => {
  environment = { ensaio }
})

const open = () => {
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/`)
  startSession({ ...signedInUntil(Date.now() + 60_000), usuario_id: 1, pendencia: null })
  const client = new QueryClient()
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <EnvironmentNotice />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return client
}

describe('the notice of a restored test environment', () => {
  test('the notice of a restored test environment shows the time of the backup and disappears once an ADMIN releases the e-mails', async () => {
    open()
    await screen.findByText(/cópia de 20\/11\/2026 03:00 \(horário de Brasília\)/)
    await userEvent.click(
      screen.getByRole('button', { name: 'Este é o ambiente de produção: liberar e-mails' }),
    )
    await screen.findByText(/E-mails à espera: 2\./)
    expect(environment).toEqual({ ensaio })
    await userEvent.click(screen.getByRole('button', { name: 'Sim, liberar' }))
    await waitFor(() => expect(screen.queryByText(/Ambiente de ensaio/)).toBeNull())
    expect(environment).toEqual({ ensaio: null })
  })

  test('the notice of a restored test environment releases nothing when the ADMIN cancels', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: /liberar e-mails/ }))
    await userEvent.click(await screen.findByRole('button', { name: 'Não, é um ensaio' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Sim, liberar' })).toBeNull())
    expect(environment).toEqual({ ensaio })
  })

  test('the notice of a restored test environment is not shown in production', async () => {
    environment = { ensaio: null }
    const client = open()
    await waitFor(() => expect(client.isFetching()).toBe(0))
    expect(screen.queryByText(/Ambiente de ensaio/)).toBeNull()
  })
})
