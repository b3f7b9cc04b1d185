import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { problems } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { takeAttempt } from './provider-attempt.ts'
import { SignInPage } from './sign-in-page.tsx'
import type { SignInSettings } from './sign-in-settings.ts'

const both: SignInSettings = {
  demonstracao: false,
  entradaComSenha: true,
  provedorIdentidade: 'Conta da empresa',
}
const attempt = { estado: 'e', nonce: 'n', verificador: 'v' }
const url = 'http://provedor.exemplo/autorizar?x=1'

/** The responses of the test's HTTP server. */
let settings: { status: number; body: object }
let start: { status: number; body: object }
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    const { status, body } = request.url === '/api/portal' ? settings : start
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://localhost:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  settings = { status: 200, body: both }
  start = { status: 200, body: { ...attempt, url } }
})

const show = (destination?: string) =>
  render(
    <MantineProvider>
      <SignInPage {...(destination ? { destination } : {})} />
    </MantineProvider>,
  )
const providerButton = () => screen.findByRole('button', { name: 'Entrar com Conta da empresa' })

test('the sign-in page shows the form before any response, and no provider button without a provider', async () => {
  settings.body = { ...both, provedorIdentidade: null }
  show()
  expect(screen.getByLabelText('Senha')).toBeDefined()
  await waitFor(() => expect(localStorage.getItem('bi-manager.entrada')).toContain('entradaComSenha'))
  expect(screen.queryByRole('button', { name: /Entrar com/ })).toBeNull()
})

test('the sign-in page shows the provider with or instead of the form, from the remembered settings at first', async () => {
  show()
  await providerButton()
  expect(screen.getByRole('button', { name: 'Acessar' })).toBeDefined()
  cleanup()
  settings.body = { ...both, entradaComSenha: false }
  show()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Acessar' })).toBeNull())
  for (const gone of ['Recuperar senha', 'Fazer meu cadastro']) expect(screen.queryByText(gone)).toBeNull()
  cleanup()
  // Without a response, the settings received last stay in force.
  settings = { status: 503, body: {} }
  show()
  expect(screen.queryByLabelText('Senha')).toBeNull()
  await providerButton()
})

test('the sign-in page stores the attempt for one use in this tab only, with the requested page', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  show('/telemedicina')
  await userEvent.click(await providerButton())
  await waitFor(() => expect(assign).toHaveBeenCalledWith(url))
  expect(JSON.stringify({ ...localStorage })).not.toContain('verificador')
  expect(takeAttempt()).toEqual({ ...attempt, destino: '/telemedicina' })
  expect(takeAttempt()).toBeUndefined()
})

test('the sign-in page reports an unavailable provider and re-enables the button', async () => {
  const { detail } = problems.provedor_indisponivel
  start = { status: 503, body: { codigo: 'provedor_indisponivel', detail } }
  show()
  await userEvent.click(await providerButton())
  expect((await screen.findByRole('alert')).textContent).toBe(detail)
  expect((await providerButton()).hasAttribute('data-loading')).toBe(false)
})

test('the sign-in page shows maintenance announcements above the form, and keeps none for the next visit', async () => {
  settings.body = { ...both, avisos: [{ titulo: 'Parada', texto: 'Das **22h** às 23h' }] }
  show()
  expect((await screen.findByRole('region', { name: 'Avisos' })).textContent).toContain('Das 22h às 23h')
  expect(localStorage.getItem('bi-manager.entrada')).not.toContain('Parada')
})

test('the sign-in page shows no announcements of a portal of the previous version', async () => {
  show()
  await providerButton()
  expect(screen.queryByRole('region', { name: 'Avisos' })).toBeNull()
})
