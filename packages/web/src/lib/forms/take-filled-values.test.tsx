import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { takeFilledValues } from './take-filled-values.ts'

beforeAll(takeFilledValues)

const sent = vi.fn()
const Form = () => {
  const [values, setValues] = useState({ name: 'ana', password: '', note: '' })
  const field = (name: keyof typeof values) => ({
    'aria-label': name,
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues((known) => ({ ...known, [name]: value }))
    },
  })
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    sent(values)
  }
  return (
    <form onSubmit={submit}>
      <input {...field('name')} />
      <input type="password" {...field('password')} />
      <textarea {...field('note')} />
      <button type="submit">Enviar</button>
    </form>
  )
}

/** Writes as a password manager does: neither React nor the page hears of it. */
const fill = (label: string, value: string) => {
  const field = screen.getByLabelText(label)
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
}

test('a form sends what was filled into its fields without an event', async () => {
  render(<Form />)
  fill('password', 'uma senha guardada')
  fill('note', 'uma nota')
  await userEvent.click(screen.getByRole('button'))
  expect(sent.mock.calls).toEqual([[{ name: 'ana', password: 'uma senha guardada', note: 'uma nota' }]])
})
