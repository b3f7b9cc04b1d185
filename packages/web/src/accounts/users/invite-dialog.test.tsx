import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { aUser } from '../../../test/users.ts'
import { startSession } from '../../lib/session/session.ts'
import { InviteDialog } from './invite-dialog.tsx'

let enviaEmails: boolean
beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/portal')
      ? Response.json({ enviaEmails })
      : Response.json({ ...aUser({ nomeUsuario: 'Bia Costa' }), conviteAnterior: false }, { status: 202 }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () => {
  const element = <InviteDialog target="new" onClose={() => {}} onInvited={() => {}} />
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const invite = async (button: string) => {
  await userEvent.type(await screen.findByLabelText('Nome do usuário'), 'Bia Costa')
  await userEvent.type(screen.getByLabelText('E-mail'), 'bia@exemplo.com.br')
  await userEvent.click(await screen.findByRole('button', { name: button }))
}

test('the invite dialog sends an invitation by e-mail', async () => {
  enviaEmails = true
  open()
  await invite('Enviar convite')
  await screen.findByText('Convite enviado!')
  expect((await screen.findByRole('status')).textContent).toContain('pelo link enviado a')
})

test('the invite dialog says before and after that nothing is sent without a mail server', async () => {
  enviaEmails = false
  open()
  const register = await screen.findByRole('link', { name: 'cadastre a pessoa com uma senha' })
  expect(register.getAttribute('href')).toBe('/cadastrar-usuario')
  await invite('Criar convite')
  await screen.findByText('Convite criado, não enviado')
  expect((await screen.findByRole('status')).textContent).toContain('Nada foi enviado')
})
