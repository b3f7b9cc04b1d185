import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DefinitionEditor, type DefinitionEditorProps } from './definition-editor.tsx'

const text = '{\n  "name": "Custos",\n  "pages": []\n}\n'
const fault = 'Relatório: pages: falta uma página (linha 3, coluna 12)'

const editorOf = (more: Partial<DefinitionEditorProps> = {}) => (
  <DefinitionEditor
    value={text}
    tables={[]}
    erros={[]}
    avisos={[]}
    goTo={undefined}
    label="Definição do relatório"
    describedBy="erros"
    onChange={() => {}}
    {...more}
  />
)
const field = () => screen.getByRole('textbox', { name: 'Definição do relatório' })

test('the editor is a text box with a name, described by the list of errors, that Tab leaves', () => {
  render(editorOf())
  expect(field().getAttribute('aria-describedby')).toBe('erros')
  expect(field().getAttribute('aria-multiline')).toBe('true')
  const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true })
  expect(field().dispatchEvent(tab)).toBe(true)
})

test('the editor follows another text of the page, and reports what the author changes', () => {
  const onChange = vi.fn()
  const { rerender } = render(editorOf({ onChange }))
  expect(field().textContent).toContain('"Custos"')
  rerender(editorOf({ onChange, value: text.replace('Custos', 'Receitas') }))
  expect(field().textContent).toContain('"Receitas"')
  expect(onChange).toHaveBeenLastCalledWith(text.replace('Custos', 'Receitas'))
})

test('the editor underlines the place of an error until it is corrected', () => {
  const { rerender, container } = render(
    editorOf({ erros: [fault, 'x.csv: vazio', 'longe (linha 99, coluna 1)'] }),
  )
  const underlined = () =>
    [...container.querySelectorAll('.cm-lintRange-error')].map((one) => one.textContent)
  expect(underlined().join('')).toBe('[]')
  rerender(editorOf())
  expect(underlined()).toEqual([])
})

test('the editor selects the line that the author wants to see', () => {
  const { rerender } = render(editorOf())
  rerender(editorOf({ goTo: { line: 2, column: 3 } }))
  expect(field().contains(document.activeElement)).toBe(true)
  expect(document.querySelector('.cm-activeLine')?.textContent).toBe('  "name": "Custos",')
})
