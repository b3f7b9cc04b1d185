import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const menus = {
  desktop: async () => {
    const { SideMenu } = await import('./side-menu.tsx')
    return <SideMenu opened />
  },
  phone: async () => {
    const { PhoneMenu } = await import('./phone-menu.tsx')
    return <PhoneMenu opened onClose={() => undefined} />
  },
}

// Resets module-level caches between tests.
beforeEach(() => vi.resetModules())
afterEach(() => vi.unstubAllGlobals())

test.each(['desktop', 'phone'] as const)(
  'the %s menu prefetches no viewer code with data saving on',
  async (size) => {
    const asked: string[] = []
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(url)
      return new Promise(() => undefined)
    })
    render(
      <MantineProvider>
        <QueryClientProvider client={new QueryClient()}>
          <MemoryRouter>{await menus[size]()}</MemoryRouter>
        </QueryClientProvider>
      </MantineProvider>,
    )
    const nav = await screen.findByRole('navigation', { name: 'Relatórios Gerenciais' })
    fireEvent.pointerEnter(nav)
    fireEvent.focusIn(nav)
    expect(asked).toContain('/api/usuarios/menus')
    expect(asked).not.toContain('/api/portal')
  },
)
