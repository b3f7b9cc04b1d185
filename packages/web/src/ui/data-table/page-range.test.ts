import { expect, test } from 'vitest'
import { countText, pageRange } from './page-range.ts'

const range = (pagina: number, total: number, count: number, isCapped = false) =>
  pageRange({ pagina, tamanho: 5, total, isCapped, count })

test('pageRange disables Anterior on page 1 and Próximo when the range reaches the total', () => {
  expect(range(1, 5, 5)).toMatchObject({ canGoBack: false, canGoOn: false, text: '1–5 de 5' })
  expect(range(1, 6, 5)).toMatchObject({ canGoBack: false, canGoOn: true, text: '1–5 de 6' })
  expect(range(2, 6, 1)).toMatchObject({ canGoBack: true, canGoOn: false, text: '6–6 de 6' })
  expect(range(1, 0, 0)).toMatchObject({ canGoBack: false, canGoOn: false, text: '0 de 0' })
})

test('pageRange enables Próximo on a full page when the total is capped', () => {
  expect(range(200, 1000, 5, true)).toMatchObject({ canGoOn: true, text: '996–1.000 de mais de 1.000' })
  expect(range(201, 1000, 3, true)).toMatchObject({ canGoOn: false })
})

test('countText formats counts in words', () => {
  const words = ['workspace', 'workspaces'] as const
  expect(countText(1, false, words)).toBe('1 workspace')
  expect(countText(1234, false, words)).toBe('1.234 workspaces')
  expect(countText(1000, true, words)).toBe('mais de 1.000 workspaces')
})
