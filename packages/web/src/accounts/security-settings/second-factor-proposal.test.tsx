import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SecuritySettings } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { SecondFactorProposal } from './second-factor-proposal.tsx'

let settings: SecuritySettings
let hasFactor: boolean
let received: unknown[]
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      if (request.method === 'PUT') {
        const body = JSON.parse(text)
        received.push([request.headers['if-match'], body])
        settings = { ...settings, ...body, segundoFatorDecidido: true, versao: settings.versao + 1 }
      }
      const answers: Record<string, object> = {
        '/api/configuracao/seguranca': settings,
        '/api/conta/segundo-fator': { ativo: hasFactor, desde: null, codigosRestantes: 0, exigido: false },
        '/api/usuarios/sessao': { tipoUsuario: 'ADMIN', acessoProntuario: false, temSenha: true },
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answers[request.url ?? '']))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
  hasFactor = false
  settings = {
    segundoFator: 'opcional',
    segundoFatorDecidido: false,
    semSegundoFator: { administradores: 1, prontuarios: 2, administradores_e_prontuarios: 3, todos: 9 },
    buscaSemAcesso: false,
    redesAdmin: [],
    redesUsuario: [],
    redesValem: true,
    enderecoAtual: '127.0.0.1',
    versao: 1,
  }
})

const open = () => {
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/`)
  startSession({ ...signedInUntil(Date.now() + 60_000), usuario_id: 1, pendencia: null })
  const client = new QueryClient()
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <SecondFactorProposal />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return client
}

test.each([
  ['Exigir', 'administradores_e_prontuarios'],
  ['Agora não', 'opcional'],
])('the button %s saves the rule %s and removes the proposal', async (button, segundoFator) => {
  open()
  await screen.findByText(/3 pessoas ainda não têm/)
  await screen.findByText(/configure o seu em seguida/)
  await userEvent.click(screen.getByRole('button', { name: button }))
  await waitFor(() => expect(screen.queryByText('Exigir o segundo fator?')).toBeNull())
  expect(received).toEqual([['"1"', { segundoFator }]])
})

test('an ADMIN with a second factor is not asked to set one up', async () => {
  hasFactor = true
  open()
  await screen.findByText(/3 pessoas ainda não têm/)
  expect(screen.queryByText(/configure o seu em seguida/)).toBeNull()
})

test('the second factor proposal proposes nothing once a rule was chosen', async () => {
  settings.segundoFatorDecidido = true
  const client = open()
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(screen.queryByText('Exigir o segundo fator?')).toBeNull()
})
