import { expect, test } from 'vitest'
import { createPrintCaption } from './print-caption.ts'

const caption = {
  report: 'Custos',
  page: 'Geral',
  dataTime: 'Dados de 28/11/2026, 08:30',
  filters: ['Sexo é Feminino', 'Ano é 2024'],
}

test('the print caption says the page, the time of the data and the filters, and takes room for their lines', () => {
  const { element, show } = createPrintCaption()
  expect(show(caption, 1040)).toBe(15)
  expect(element.textContent).toBe('Geral · Dados de 28/11/2026, 08:30 · Sexo é Feminino · Ano é 2024')
  expect(
    show({ ...caption, filters: Array.from({ length: 40 }, () => 'Sexo é Feminino') }, 1040),
  ).toBeGreaterThan(15)
  expect(show(undefined, 1040)).toBe(0)
  expect(element.textContent).toBe('')
})

test('the print caption repeats the time of the data on every sheet, and no text ends the style', () => {
  const before = document.adoptedStyleSheets.length
  const { show } = createPrintCaption()
  const [added] = document.adoptedStyleSheets.slice(before)
  const written: string[] = []
  if (added) added.replaceSync = (text: string) => void written.push(text)
  show({ ...caption, report: 'Custos"; } body { display: none } /*' }, 1040)
  expect(written[0]).toContain(
    'content: "Custos\\22 \\3b  \\7d  body \\7b  display\\3a  none \\7d  \\2f \\2a ',
  )
  expect(written[0]).toMatch(/08\\3a 30"; font/)
  show(undefined, 1040)
  expect(written[1]).toBe('')
})
