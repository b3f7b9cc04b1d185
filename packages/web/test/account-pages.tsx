import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { problems } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

interface Answer {
  status: number
  body?: object
  retryAfter?: string
}

/** Sets up a test file for the pages without a session, with an HTTP server that answers them. */
export const accountPages = () => {
  /** Responses of the server, by URL; emptied before each test. */
  const answers: Record<string, Answer> = {}
  const received: [address: string, body: unknown][] = []
  let server: Server
  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        const address = request.url?.replace('/api', '') ?? ''
        if (address !== '/portal') received.push([address, JSON.parse(text || 'null')])
        const { status, body, retryAfter } = answers[address] ?? { status: 404 }
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(retryAfter && { 'retry-after': retryAfter }),
        })
        response.end(body && JSON.stringify(body))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, resolve))
  })
  afterAll(() => server.close())
  beforeEach(() => {
    received.length = 0
    window.history.replaceState(null, '')
    for (const address of Object.keys(answers)) delete answers[address]
    answers['/portal'] = { status: 200, body: { entradaComSenha: true } }
  })
  afterEach(cleanup)
  const origin = () => `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    answers,
    received,
    origin,
    open: (Page: ComponentType, address: string) => {
      const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
      happyDOM.setURL(origin() + address)
      return show(Page)
    },
    /** Renders the page again for the same history entry, without any state. */
    reload: (Page: ComponentType) => {
      cleanup()
      show(Page)
    },
  }
}

const show = (Page: ComponentType) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )

export const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

export const problem = (code: keyof typeof problems, more: object = {}) => {
  const { status, title, detail } = problems[code]
  return { status, body: { type: 'x', title, status, detail, codigo: code, idRequisicao: '1', ...more } }
}

export const token = 'a'.repeat(43)
export const link = (
  tipo: 'recuperacao' | 'convite' | 'confirmacao',
  aguardaAprovacao = tipo === 'confirmacao',
) => ({
  status: 200,
  body: {
    tipo,
    nomeUsuario: 'Bia Costa',
    emailUsuario: 'bia@exemplo.com.br',
    aguardaAprovacao,
    pedeSenha: tipo === 'confirmacao',
    provedor: null as string | null,
    expiraEm: '2026-12-01T00:00:00.000Z',
  },
})
