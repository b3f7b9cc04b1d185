import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, requirePendingStep, startSession } from '../../lib/session/session.ts'
import { LeaveDialog } from './leave-dialog.tsx'

const texts = { title: 'Sair?', text: 'Some.', stay: 'Ficar', leave: 'Sair assim mesmo' }
const signedIn = signedInUntil(Date.now() + 600_000)

const open = (props: { hasNoDraft: boolean }) => {
  const router = createMemoryRouter(
    [
      { path: '/aqui', element: <LeaveDialog isDirty texts={texts} {...props} /> },
      { path: '*', element: <h1>Outra</h1> },
    ],
    { initialEntries: ['/aqui'] },
  )
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  )
  return router
}

beforeEach(() => {
  startSession(signedIn)
  // The portal itself redirects to the set-up of the second factor.
  requirePendingStep(signedIn.access_token, 'segundo_fator')
})

test('the leave dialog asks before a redirect when no draft keeps the changes', async () => {
  const router = open({ hasNoDraft: true })
  await act(() => router.navigate('/outra'))
  expect(await screen.findByRole('dialog', { name: 'Sair?' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Ficar' }))
  expect(router.state.location.pathname).toBe('/aqui')
  await act(() => router.navigate('/outra'))
  fireEvent.click(await screen.findByRole('button', { name: 'Sair assim mesmo' }))
  expect(await screen.findByRole('heading', { name: 'Outra' })).toBeDefined()
})

test('the leave dialog asks before the tab is closed', () => {
  open({ hasNoDraft: true })
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  expect(event.defaultPrevented).toBe(true)
})

test('the dialog does not block a redirect when a draft keeps the changes, nor navigation after sign-out', async () => {
  const drafted = open({ hasNoDraft: false })
  await act(() => drafted.navigate('/outra'))
  expect(drafted.state.location.pathname).toBe('/outra')
  const other = open({ hasNoDraft: true })
  endSession('saiu')
  await act(() => other.navigate('/outra'))
  expect(other.state.location.pathname).toBe('/outra')
})
