import { expect, test } from 'vitest'
import { chartTheme } from './report-colors.ts'
import { darkTheme, lightTheme } from './theme.ts'

test("reportColors returns the default colours of charts, in the embedder's colours where it set some", () => {
  expect(chartTheme(undefined, false)).toBe(lightTheme)
  const dark = chartTheme({ name: 'Empresa', background: '#102030', dataColors: ['#ff0000'] }, false)
  expect(dark).toMatchObject({ surface: '#102030', strong: darkTheme.strong, below: '#ff0000' })
  expect(dark.palette).toEqual(['#ff0000', ...darkTheme.palette.slice(1)])
})

test('reportColors prints on a light background, whatever that of the embedder', () => {
  const printed = chartTheme({ name: 'Empresa', background: '#102030', dataColors: ['#ff0000'] }, true)
  expect(printed).toMatchObject({ surface: lightTheme.surface, strong: lightTheme.strong, below: '#ff0000' })
})

test('reportColors gives each set of colours another name, so that charts redraw', () => {
  const nameOf = (background: string) => chartTheme({ name: 'Empresa', background }, false).name
  expect(nameOf('#ffffff')).not.toBe(nameOf('#fffffe'))
  expect(nameOf('#ffffff')).toBe(nameOf('#ffffff'))
})
