import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ClosedSelect } from './closed-select.tsx'

const risks = ['Alto custo de medicação', 'Risco de reação alérgica', 'Custo de internação em UTI'] as const
const letters = ['Água', 'Fogo'] as const

const Field = <V extends string>({
  label,
  options,
  heard,
}: {
  label: string
  options: readonly V[]
  heard: (value: V | '') => void
}) => {
  const [value, setValue] = useState<V | ''>('')
  const change = (next: V | '') => {
    setValue(next)
    heard(next)
  }
  return (
    <ClosedSelect
      label={label}
      options={options}
      value={value}
      onChange={change}
      error={value === '' && `Falta ${label}`}
    />
  )
}

const show = () => {
  const heard = vi.fn()
  const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  const escaped = vi.fn()
  render(
    <MantineProvider env="test">
      <form onSubmit={submitted} onKeyDown={(event) => event.key === 'Escape' && escaped()}>
        <Field label="Risco" options={risks} heard={heard} />
        <Field label="Elemento" options={letters} heard={heard} />
        <p>em outro lugar</p>
        <button type="submit">Registrar</button>
      </form>
    </MantineProvider>,
  )
  const field = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name })
  return { heard, submitted, escaped, risk: field('Risco'), element: field('Elemento') }
}

const listed = () => screen.queryAllByRole('option').map((option) => option.textContent)

test('the closed select opens with the whole list on focus and closes when another field is focused', async () => {
  const { risk, element } = show()
  await userEvent.tab()
  expect(document.activeElement).toBe(risk)
  expect(listed()).toEqual([...risks])
  await userEvent.click(element)
  expect(listed()).toEqual([...letters])
  expect([risk, element].map((one) => one.getAttribute('aria-expanded'))).toEqual(['false', 'true'])
  await userEvent.click(screen.getByText('em outro lugar'))
  expect(listed()).toEqual([])
})

test('the closed select searches by substring, ignoring case and accents, and shows all when cleared', async () => {
  const { risk } = show()
  await userEvent.type(risk, 'INTERNACAO')
  expect(listed()).toEqual(['Custo de internação em UTI'])
  await userEvent.clear(risk)
  expect(listed()).toEqual([...risks])
  await userEvent.type(risk, 'zzz')
  expect(listed()).toEqual([])
  expect(screen.getByRole('status').textContent).toBe('A pesquisa não retornou resultados!')
})

test('the closed select fills the field and closes on choice, and lists all options when reopened', async () => {
  const { risk, heard } = show()
  await userEvent.click(risk)
  await userEvent.click(screen.getByRole('option', { name: 'Risco de reação alérgica' }))
  expect(heard.mock.calls).toEqual([['Risco de reação alérgica']])
  expect([risk.value, risk.getAttribute('aria-expanded')]).toEqual(['Risco de reação alérgica', 'false'])
  await userEvent.click(risk)
  expect(listed()).toEqual([...risks])
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Risco de reação alérgica')
})

test('arrows and Enter choose without submitting; Esc closes only the list', async () => {
  const { risk, heard, submitted, escaped } = show()
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.getElementById(risk.getAttribute('aria-activedescendant') ?? '')?.textContent).toBe(
    risks[1],
  )
  await userEvent.keyboard('{Enter}')
  expect(heard.mock.calls).toEqual([[risks[1]]])
  expect(submitted).not.toHaveBeenCalled()
  await userEvent.keyboard('uti{Enter}')
  expect(heard.mock.lastCall).toEqual([risks[2]])
  await userEvent.keyboard('x{Escape}')
  expect([risk.value, escaped.mock.calls.length]).toEqual([risks[2], 0])
  await userEvent.keyboard('{Escape}')
  expect(escaped).toHaveBeenCalledOnce()
})

test('the closed select takes a fully typed option on blur, and keeps another text and says that it is not a choice', async () => {
  const { element, heard } = show()
  await userEvent.type(element, 'agu')
  await userEvent.tab()
  expect([element.value, heard.mock.calls]).toEqual(['agu', []])
  expect(screen.getByText('“agu” ainda não foi escolhido. Escolha na lista.')).toBeDefined()
  await userEvent.type(element, 'agua')
  await userEvent.tab()
  expect([element.value, heard.mock.calls]).toEqual(['Água', [['Água']]])
  await userEvent.type(element, 'fo')
  await userEvent.tab()
  expect([element.value, heard.mock.lastCall]).toEqual(['fo', ['']])
  await userEvent.click(element)
  await userEvent.keyboard('{Escape}')
  expect([element.value, screen.queryByText(/ainda não foi escolhido/)]).toEqual(['', null])
})

test('the closed select clears the choice', async () => {
  const { element, heard } = show()
  await userEvent.type(element, 'fogo{Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'Limpar Elemento' }))
  expect([element.value, heard.mock.lastCall]).toEqual(['', ['']])
})

test('the closed select shows no error under text that is being searched', async () => {
  const { element } = show()
  expect(screen.getByText('Falta Elemento')).toBeDefined()
  await userEvent.type(element, 'fo')
  expect(screen.queryByText('Falta Elemento')).toBeNull()
  await userEvent.keyboard('{Enter}')
  expect(element.value).toBe('Fogo')
  expect(screen.queryByText('Falta Elemento')).toBeNull()
})
