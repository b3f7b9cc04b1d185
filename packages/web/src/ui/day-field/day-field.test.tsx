import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { startTransition, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { DayField } from './day-field.tsx'

const Form = ({
  initial,
  heard,
}: {
  initial: string | undefined
  heard: (day: string | undefined) => void
}) => {
  const [day, setDay] = useState(initial)
  // Updates late, as the router does.
  const change = (next: string | undefined) => startTransition(() => setDay(next))
  const hear = (next: string | undefined) => {
    heard(next)
    change(next)
  }
  return (
    <>
      <DayField label="De" value={day} onChange={hear} />
      <button type="button" onClick={() => change(undefined)}>
        Limpar
      </button>
    </>
  )
}

const show = (initial?: string) => {
  const heard = vi.fn()
  render(
    <MantineProvider env="test">
      <Form initial={initial} heard={heard} />
    </MantineProvider>,
  )
  return { heard, field: screen.getByRole<HTMLInputElement>('textbox', { name: 'De' }) }
}

test('the day field emits a day once it is complete, and undefined when the field is cleared', async () => {
  const { heard, field } = show()
  await userEvent.type(field, '10032026')
  expect(field.value).toBe('10/03/2026')
  expect(heard.mock.calls).toEqual([['2026-03-10']])
  await userEvent.clear(field)
  expect(heard.mock.calls.at(-1)).toEqual([undefined])
  expect(field.value).toBe('')
})

test('the day field clears when the value is reset, and drops an incomplete day on blur', async () => {
  const { heard, field } = show('2026-03-10')
  expect(field.value).toBe('10/03/2026')
  await userEvent.type(field, '{Backspace}{Backspace}')
  expect(field.value).toBe('10/03/20')
  await userEvent.tab()
  expect(field.value).toBe('10/03/2026')
  expect(heard).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Limpar' }))
  expect(field.value).toBe('')
})

test('the day field takes a correction where the cursor is, and emits no other day meanwhile', async () => {
  const { heard, field } = show('2026-10-12')
  await userEvent.type(field, '{Backspace}5', { initialSelectionStart: 2, initialSelectionEnd: 2 })
  expect(field.value).toBe('15/10/2026')
  expect(heard.mock.calls).toEqual([['2026-10-15']])
})

test.each(['{Tab}', '{Enter}'])('the day field emits a day without its zero after %s', async (key) => {
  const { heard, field } = show('2026-10-12')
  await userEvent.type(field, `{Backspace}${key}`, { initialSelectionStart: 2, initialSelectionEnd: 2 })
  expect(field.value).toBe('01/10/2026')
  expect(heard.mock.calls).toEqual([['2026-10-01']])
})

test('the day field emits undefined for an impossible day and keeps it in the field', async () => {
  const { heard, field } = show('2026-03-10')
  await userEvent.clear(field)
  await userEvent.type(field, '10032026')
  heard.mockClear()
  fireEvent.change(field, { target: { value: '31/02/2026' } })
  expect(heard.mock.calls).toEqual([[undefined]])
  await userEvent.tab()
  expect(field.value).toBe('31/02/2026')
  screen.getByText('Informe uma data válida.')
  fireEvent.change(field, { target: { value: '28/02/2026' } })
  expect(heard.mock.calls.at(-1)).toEqual(['2026-02-28'])
  expect(screen.queryByText('Informe uma data válida.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Limpar' }))
  expect(field.value).toBe('')
})

test('the day field shows the given error at the field', () => {
  render(
    <MantineProvider env="test">
      <DayField label="De" value="2026-03-10" onChange={() => undefined} error="Tarde demais." />
    </MantineProvider>,
  )
  const field = screen.getByRole('textbox', { name: 'De' })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  screen.getByText('Tarde demais.')
})

test('the day field keeps an impossible day in the field with its error', async () => {
  const { heard, field } = show()
  await userEvent.type(field, '31022026')
  await userEvent.tab()
  expect(field.value).toBe('31/02/2026')
  screen.getByText('Informe uma data válida.')
  await userEvent.clear(field)
  await userEvent.type(field, '01012100')
  expect(heard.mock.calls).toEqual([['2100-01-01']])
  await userEvent.click(screen.getByRole('button', { name: 'Limpar' }))
  expect(field.value).toBe('')
})

test('the day field emits the previous day again when it is retyped before the reset has rendered', () => {
  const heard = vi.fn()
  render(
    <MantineProvider env="test">
      <DayField label="De" value="2026-03-10" onChange={heard} />
    </MantineProvider>,
  )
  const field = screen.getByRole('textbox', { name: 'De' })
  fireEvent.change(field, { target: { value: '31/02/2026' } })
  fireEvent.change(field, { target: { value: '10/03/2026' } })
  expect(heard.mock.calls).toEqual([[undefined], ['2026-03-10']])
})
