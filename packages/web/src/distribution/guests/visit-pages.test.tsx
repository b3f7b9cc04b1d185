import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { accountPages, problem, token } from '../../../test/account-pages.tsx'
import { VisitInvitationPage } from './visit-invitation-page.tsx'
import { VisitLinkPage } from './visit-link-page.tsx'

const { answers, received, origin, open, reload } = accountPages()
afterEach(() => sessionStorage.clear())

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const kept = () => sessionStorage.getItem('bi-manager.visita')

test('the page of an invitation sends a link only when the button is pressed', async () => {
  answers['/visita/pedido'] = { status: 200, body: { mensagem: 'Se este convite ainda vale, enviamos.' } }
  open(VisitInvitationPage, '/visita?convite=7.x')
  await screen.findByRole('heading', { name: 'Ver o relatório' })
  expect(received).toEqual([])
  press('Enviar o link ao meu e-mail')
  await screen.findByRole('heading', { name: 'Confira seu e-mail' })
  screen.getByText(/^Se este convite ainda vale, enviamos\. Se ele não chegar/)
  expect(received).toEqual([['/visita/pedido', { convite: '7.x' }]])
})

test('the page of an invitation says when to ask again, and what it needs', async () => {
  answers['/visita/pedido'] = { ...problem('muitas_tentativas'), retryAfter: '120' }
  open(VisitInvitationPage, '/visita?convite=7.x')
  press('Enviar o link ao meu e-mail')
  await screen.findByRole('alert')
  open(VisitInvitationPage, '/visita')
  await screen.findByText('Esta página só abre pelo botão do e-mail que convidou você.')
})

test('the page of a link opens the visit only when the button is pressed, and survives a reload', async () => {
  const expiraEm = new Date().toISOString()
  answers['/visita/entrada'] = { status: 201, body: { credencial: 'visita_x', expiraEm } }
  open(VisitLinkPage, `/visita/entrar?token=${token}&convite=7.x`)
  await screen.findByRole('heading', { name: 'Abrir o relatório' })
  expect(window.location.href).toBe(`${origin()}/visita/entrar`)
  reload(VisitLinkPage)
  await screen.findByRole('heading', { name: 'Abrir o relatório' })
  expect(received).toEqual([])
  press('Abrir o relatório')
  await waitFor(() => expect(kept()).toBe('visita_x'))
  expect(received).toEqual([['/visita/entrada', { token }]])
})

test('the page of a used link offers another one', async () => {
  answers['/visita/entrada'] = problem('link_invalido')
  open(VisitLinkPage, `/visita/entrar?token=${token}&convite=7.x`)
  press('Abrir o relatório')
  await screen.findByRole('heading', { name: 'Este link não vale mais' })
  const again = screen.getByRole('link', { name: 'Pedir outro link' })
  expect(again.getAttribute('href')).toBe('/visita?convite=7.x')
  expect(kept()).toBeNull()
})

test('an invitation of a changed address stays one parameter', async () => {
  answers['/visita/entrada'] = problem('link_invalido')
  open(VisitLinkPage, `/visita/entrar?token=${token}&convite=7.x%26outro%3D1%23fim`)
  press('Abrir o relatório')
  const again = await screen.findByRole('link', { name: 'Pedir outro link' })
  expect(again.getAttribute('href')).toBe('/visita?convite=7.x%26outro%3D1%23fim')
})
