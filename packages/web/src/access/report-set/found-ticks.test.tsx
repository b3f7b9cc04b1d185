import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { FoundTicks } from './found-ticks.tsx'
import { ticksOf } from './ticks.ts'

afterEach(() => void vi.unstubAllGlobals())

test('the list shows the results of one search when the other fails, and offers a retry', async () => {
  let isBroken = true
  // The real server produces a partial failure only by chance.
  vi.stubGlobal('fetch', async (url: string) => {
    if (!/grupo-permissao/.test(url))
      return Response.json([{ idRelatorio: 1, nomeRelatorio: 'Água', idGrupoRelatorio: 1 }])
    return isBroken
      ? Response.json({ message: 'Falhou.' }, { status: 500 })
      : Response.json([{ idGrupoRelatorio: 1, nomeGrupo: 'Águas', idGrupo: 'g1' }])
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <FoundTicks
          search="águ"
          ticks={ticksOf([])}
          onTick={() => {}}
          hint={undefined}
          workspaceOf={undefined}
          names={{ workspaceOf: () => undefined, sizeOf: () => 1 }}
          loadGroup={{ queryKey: ['teste'], load: async () => [] }}
        />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const again = await screen.findByRole('button', { name: 'Tentar novamente' })
  expect(screen.getByRole('checkbox', { name: 'Água' })).toBeDefined()
  isBroken = false
  fireEvent.click(again)
  await screen.findByRole('button', { name: /Águas/ })
  expect(screen.queryByRole('button', { name: 'Tentar novamente' })).toBeNull()
})
