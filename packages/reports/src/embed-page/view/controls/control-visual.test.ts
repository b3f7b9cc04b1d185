import { expect, test, vi } from 'vitest'
import type { ControlType } from '../../../definitions/visual-types.ts'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { exportSentence } from '../visual/visual-menu.ts'
import { controls } from './control-visual.ts'

const control = (part: Partial<EmbeddedVisual> & { type: ControlType }) => {
  const actions = { loadValues: vi.fn(), slice: vi.fn(), press: vi.fn() }
  const visual = { name: 'v', title: 'Como ler', ...part } as EmbeddedVisual
  return { ...controls[part.type](visual, {}, actions), actions, visual }
}

test('the control visual writes a text as paragraphs, never as HTML', () => {
  const { element } = control({ type: 'text', text: ['<img src=x onerror=alert(1)> & mais', ' ', 'segundo'] })
  expect([...element.children].map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual([
    'P <img src=x onerror=alert(1)> & mais',
    'P segundo',
  ])
  expect(element.querySelector('img')).toBeNull()
})

test('a button calls press when it is clicked', () => {
  const { element, actions, visual } = control({ type: 'button', title: 'Ver detalhe', button: {} })
  element.click()
  expect(actions.press.mock.calls).toEqual([[visual]])
  expect(element.textContent).toBe('Ver detalhe')
})

test('the control visual shows the filter in force in a slicer', async () => {
  const target = { table: 't', column: 'c' }
  const { element, update, actions } = control({
    type: 'slicer',
    slicer: { target, style: 'list', single: false },
  })
  actions.loadValues.mockResolvedValue({ values: ['a', 'b'], kind: 'text', truncated: false })
  update([{ target, filterType: 1, operator: 'In', values: ['b'] }])
  await vi.waitFor(() => expect(element.querySelectorAll('.value')).toHaveLength(2))
  const ticked = [...element.querySelectorAll<HTMLInputElement>('.value input')].map(({ checked }) => checked)
  expect(ticked).toEqual([false, true])
})

test('the control visual says how many rows were exported, and whether some were left out', () => {
  expect(exportSentence('a.csv', 1, false)).toBe('a.csv: 1 linha.')
  expect(exportSentence('a.csv', 2, false, 1_234)).toBe(
    'a.csv: 2 linhas. 1.234 textos longos estão só com o começo, que termina em “…”. Com menos colunas de texto no visual, cabem até 2.000 letras de cada um.',
  )
  expect(exportSentence('a.csv', 10_000, true)).toBe(
    'a.csv: só as primeiras 10.000 linhas. Há mais; use os filtros para exportar as outras.',
  )
})
