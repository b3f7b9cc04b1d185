import type { ApiKeySettings } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { KeyRules } from './key-rules.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the form saves the rules with the version that was read, and reads them again after another change', async () => {
  let rules: ApiKeySettings = { pessoas: false, mcp: false, versao: 4 }
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    if (method === 'GET') return Response.json(rules)
    sent.push([new Headers(headers).get('if-match'), JSON.parse(String(body))])
    if (sent.length === 1) {
      rules = { ...rules, mcp: true, versao: 5 }
      const problem = { codigo: 'versao_antiga', status: 412, detail: 'Bia alterou as regras.', title: 'x' }
      return Response.json(
        { ...problem, type: 'urn:x', idRequisicao: 'r' },
        { status: 412, headers: { 'content-type': 'application/problem+json' } },
      )
    }
    rules = { ...rules, pessoas: true, versao: 6 }
    return Response.json(rules)
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider env="test">
        <RouterProvider router={createMemoryRouter([{ path: '*', Component: KeyRules }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const save = await screen.findByRole('button', { name: 'Gravar' })
  expect(save).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('switch', { name: /^Todas as pessoas/ }))
  await userEvent.click(save)
  await screen.findByText(/Bia alterou as regras. Confira as regras e grave de novo./)
  // The other change is shown, and the own one stays.
  await vi.waitFor(() => {
    const mcp = screen.getByRole('switch', { name: /^Servidor MCP/ })
    expect((mcp as HTMLInputElement).checked).toBe(true)
  })
  await userEvent.click(save)
  await screen.findByText('Regras gravadas!')
  expect(sent).toEqual([
    ['"4"', { pessoas: true, mcp: false }],
    ['"5"', { pessoas: true, mcp: true }],
  ])
})
