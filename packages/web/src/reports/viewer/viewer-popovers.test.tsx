import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SavedViewsButton } from '../saved-views/saved-views-button.tsx'
import { ExportButton } from './toolbar/export-button.tsx'

/* Popovers of the toolbar close when the user returns to the report, wherever the focus is. */

const report = {
  show: async () => undefined,
  capture: async () => ({
    pagina: 'p',
    marcador: null,
    isTooLong: false,
    filtros: { operadora: '', sexo: '', titularidade: '' },
  }),
}
const popovers: [string, ReactNode][] = [
  [
    'Exportar',
    <ExportButton
      key="e"
      report={report}
      idRelatorio={7}
      nomeRelatorio="Custos"
      isLoaded
      onNote={() => undefined}
      onProgress={() => undefined}
    />,
  ],
  ['Visões salvas', <SavedViewsButton key="v" report={report} idRelatorio={7} isLoaded />],
]

const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.disableIframePageLoading = true
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) =>
      url.includes('/exportacao') ? new Promise(() => undefined) : Response.json([]),
    ),
  )
})
afterEach(() => vi.unstubAllGlobals())

const open = async (name: string, part: ReactNode) => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        {part}
        <iframe title="Relatório" />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const button = screen.getByRole('button', { name })
  await userEvent.click(button)
  await screen.findByRole('dialog')
  return button
}
const untilClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test.each(popovers)('%s closes on Escape even when the focus is outside of it', async (name, part) => {
  const button = await open(name, part)
  act(() => (document.activeElement as HTMLElement).blur())
  await userEvent.keyboard('{Escape}')
  await untilClosed()
  await waitFor(() => expect(document.activeElement).toBe(button))
})

test.each(popovers)(
  '%s closes when the focus moves into the report, and leaves it there',
  async (name, part) => {
    await open(name, part)
    const frame = screen.getByTitle('Relatório')
    act(() => {
      frame.focus()
      window.dispatchEvent(new Event('blur'))
    })
    await untilClosed()
    expect(document.activeElement).toBe(frame)
  },
)

test.each(popovers)('%s stays open when the focus moves to another window', async (name, part) => {
  await open(name, part)
  act(() => void window.dispatchEvent(new Event('blur')))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('the viewer keeps the focus in the panel when an export starts', async () => {
  await open(...(popovers[0] as [string, ReactNode]))
  await userEvent.click(screen.getByRole('button', { name: 'PDF desta página' }))
  expect(document.activeElement?.closest('[role=dialog]')).not.toBeNull()
})
