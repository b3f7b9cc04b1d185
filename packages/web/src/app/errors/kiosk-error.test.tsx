import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { routes } from '../routes.tsx'
import { KioskError } from './kiosk-error.tsx'

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test("the screen's page has this boundary above its lazy route", () => {
  const route = routes.find(({ children }) => children?.some(({ path }) => path === '/telao'))
  expect(route?.ErrorBoundary).toBe(KioskError)
})

test('a page that could not be loaded is loaded again once the portal serves it', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
  let answer = (): Response => {
    throw new TypeError('Failed to fetch')
  }
  vi.stubGlobal('fetch', async () => answer())
  const broken = async () => {
    throw new TypeError('Failed to fetch dynamically imported module: /assets/kiosk-page-1.js')
  }
  const children = [{ path: '/telao', lazy: { Component: broken } }]
  const router = createMemoryRouter([{ ErrorBoundary: KioskError, children }], {
    initialEntries: ['/telao'],
  })
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  )
  await screen.findByText('A tela tenta de novo sozinha.')
  expect(document.body.textContent).not.toContain('/assets/')
  await vi.advanceTimersByTimeAsync(61_000)
  expect(reload).not.toHaveBeenCalled()
  answer = () => new Response('<!doctype html><html data-build="100-aa" lang="pt-BR">')
  await vi.advanceTimersByTimeAsync(31_000)
  expect(reload).toHaveBeenCalledTimes(1)
})
