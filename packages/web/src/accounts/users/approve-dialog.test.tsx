import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { User } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aUser } from '../../../test/users.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { UserBadges } from './user-badges.tsx'

let received: string[]
let entradaComSenha: boolean
let enviaEmails: boolean
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const address = request.url ?? ''
      if (address === '/api/portal') {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ entradaComSenha, enviaEmails }))
        return
      }
      received.push(`${request.method} ${address}`)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/usuario`)
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
  entradaComSenha = true
  enviaEmails = true
})
afterEach(cleanup)

const bia = (fields: Partial<User> = {}) => aUser({ situacao: 'PENDENTE', emailComprovado: false, ...fields })

const open = (user: User) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <ApproveDialog user={user} onClose={() => {}} onDecided={() => {}} />
          <UserBadges {...user} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )

test('the approve dialog offers an invitation instead of the approval when the e-mail is not confirmed', async () => {
  open(bia())
  expect(await screen.findAllByText('E-mail não confirmado')).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Aprovar' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Enviar convite' }))
  expect((await screen.findByRole('status')).textContent).toContain('confirma o e-mail')
  expect(received).toEqual(['POST /api/usuarios/7/convidar'])
})

test('the approve dialog says that nothing is sent without a mail server', async () => {
  enviaEmails = false
  open(bia())
  fireEvent.click(await screen.findByRole('button', { name: 'Criar convite' }))
  expect((await screen.findByRole('status')).textContent).toContain('Nada foi enviado')
  expect(screen.getByText('Convite criado, não enviado')).toBeTruthy()
})

test('the approve dialog approves an account whose e-mail is confirmed', async () => {
  open(bia({ emailComprovado: true }))
  fireEvent.click(await screen.findByRole('button', { name: 'Aprovar' }))
  expect((await screen.findByRole('status')).textContent).toContain('já pode entrar')
  expect(received).toEqual(['POST /api/usuarios/7/aprovar'])
  expect(screen.queryByText('E-mail não confirmado')).toBeNull()
})

test('the approve dialog offers neither for an unconfirmed e-mail when sign-in works through the provider only', async () => {
  entradaComSenha = false
  open(bia())
  await screen.findByText(/O provedor de identidade não confirma este e-mail/)
  expect(screen.queryByRole('button', { name: /Aprovar|Enviar convite/ })).toBeNull()
})
