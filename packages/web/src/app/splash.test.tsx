import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Splash } from './splash.tsx'

const isOver = () => document.documentElement.dataset.pronto !== undefined

test('the splash keeps the frame of the page until the last of them is gone', () => {
  const first = render(<Splash />)
  expect(screen.getByRole('status', { name: 'Carregando o portal' })).toBeDefined()
  expect(isOver()).toBe(false)
  first.unmount()
  expect(isOver()).toBe(true)
  // The router's own follows that of the portal's code.
  const second = render(<Splash />)
  expect(isOver()).toBe(false)
  second.unmount()
  expect(isOver()).toBe(true)
})
