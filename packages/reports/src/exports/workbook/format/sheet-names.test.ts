import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sheetNames } from './sheet-names.ts'

test.each([
  ['Custo por operadora', 'Custo por operadora'],
  ['Custo: 2024/2025 [total]?', 'Custo 2024 2025 total'],
  ["'Custo'", 'Custo'],
  ['Sinistralidade por faixa etária e sexo', 'Sinistralidade por faixa etária'],
  ['History', 'History -'],
  ['sobre', 'sobre (2)'],
  ['***', 'Planilha'],
])('sheetNames names the sheet of %s: %s', (title, name) => {
  expect(sheetNames(['Sobre'])(title)).toBe(name)
})

test('sheetNames numbers equal names, whatever their case', () => {
  const name = sheetNames([])
  const long = 'Um título com trinta e um sinais'
  expect([name('Custo'), name('CUSTO'), name('custo'), name(long), name(long)]).toEqual([
    'Custo',
    'CUSTO (2)',
    'custo (3)',
    'Um título com trinta e um sinai',
    'Um título com trinta e um s (2)',
  ])
})

test('sheetNames gives only names that spreadsheet programs accept', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 50 }), { maxLength: 30 }), (titles) => {
      const names = titles.map(sheetNames(['Sobre']))
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(titles.length)
      for (const name of names) {
        expect(name.length).toBeGreaterThan(0)
        expect(name.length).toBeLessThanOrEqual(31)
        expect(name).not.toMatch(/[[\]:*?/\\]|^'|'$/)
        expect(name.isWellFormed()).toBe(true)
      }
    }),
  )
})
