import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../../test/answers.ts'
import { someOptions } from '../../../../test/subscriptions.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { startSession } from '../../../lib/session/session.ts'
import { MoreActions } from '../../../reports/viewer/toolbar/more-actions.tsx'
import { ToolbarIcon } from '../../../reports/viewer/toolbar/toolbar-action.tsx'
import { useSubscribeDialog } from './use-subscribe-dialog.tsx'

beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  answerWith({
    'GET /api/usuarios/relatorio/7/assinaturas': () => Response.json([]),
    'GET /api/usuarios/relatorio/7/assinaturas/opcoes': () => Response.json(someOptions()),
    'GET /api/usuarios/relatorio/7/visoes': () => Response.json([]),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('useSubscribeDialog keeps what was typed while the report loads again and the device is turned', async () => {
  const { rerender } = render(page({ isLoaded: true, idRelatorio: 7 }))
  await userEvent.click(screen.getByRole('button', { name: 'Assinar' }))
  const subject = await screen.findByLabelText(/^Assunto/)
  await userEvent.clear(subject)
  await userEvent.type(subject, 'Minha carteira')
  rerender(page({ isLoaded: false, idRelatorio: undefined }))
  rerender(page({ isLoaded: true, idRelatorio: 7, isPhone: true }))
  expect(screen.getByLabelText<HTMLInputElement>(/^Assunto/).value).toBe('Minha carteira')
})

test('the action is an entry by name on a phone, and the focus returns to the menu', async () => {
  render(page({ isLoaded: true, idRelatorio: 7, isPhone: true }))
  const more = screen.getByRole('button', { name: 'Mais ações' })
  await userEvent.click(more)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Assinar' }))
  await screen.findByLabelText(/^Assunto/)
  await userEvent.click(screen.getByRole('button', { name: 'Fechar' }))
  await waitFor(() => expect(document.activeElement).toBe(more))
})

test('another report closes the dialog', async () => {
  const { rerender } = render(page({ isLoaded: true, idRelatorio: 7 }))
  await userEvent.click(screen.getByRole('button', { name: 'Assinar' }))
  await screen.findByLabelText(/^Assunto/)
  rerender(page({ isLoaded: true, idRelatorio: 8, of: 'another' }))
  await waitFor(() => expect(screen.queryByLabelText(/^Assunto/)).toBeNull())
})

interface State {
  isLoaded: boolean
  idRelatorio: number | undefined
  isPhone?: boolean
  of?: string
}

const report = {
  capture: async () => ({ pagina: 'custos', marcador: null, isTooLong: false, filtros: {} }),
  pageTitle: async () => 'Custos',
  pageVisuals: async () => [],
}
const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })

const Toolbar = ({ isLoaded, idRelatorio, isPhone = false, of = 'this' }: State) => {
  const status = { idRelatorio, nomeRelatorio: 'Sinistralidade' }
  const { action, dialog } = useSubscribeDialog(of, { ...report, status }, isLoaded)
  return (
    <>
      {isPhone ? <MoreActions actions={[action]} /> : <ToolbarIcon action={action} />}
      {dialog}
    </>
  )
}

const page = (state: State) => (
  <MantineProvider env="test">
    <QueryClientProvider client={client}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: <Toolbar {...state} /> }])} />
    </QueryClientProvider>
  </MantineProvider>
)
