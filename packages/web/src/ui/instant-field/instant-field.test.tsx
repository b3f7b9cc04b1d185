import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { InstantField } from './instant-field.tsx'
import { typedOf } from './instant-text.ts'

const heard = vi.fn<(typed: string) => void>()

const Form = ({ error }: { error?: string }) => {
  const [value, setValue] = useState('')
  return (
    <MantineProvider env="test">
      <InstantField
        label="Aconteceu em"
        name="ocorrido_em"
        value={value}
        error={error}
        onChange={(typed) => {
          heard(typed)
          setValue(typed)
        }}
      />
    </MantineProvider>
  )
}

test('the instant field combines a day and a time, typed as digits, into one instant', async () => {
  render(<Form />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Aconteceu em: dia' }), '10032026')
  expect(heard.mock.calls.at(-1)).toEqual(['2026-03-10T'])
  await userEvent.type(screen.getByRole('textbox', { name: 'Aconteceu em: hora' }), '1430')
  expect(heard.mock.calls.at(-1)).toEqual(['2026-03-10T14:30'])
})

test('‘Agora’ sets the current time of Brasília', async () => {
  render(<Form />)
  const before = typedOf(new Date().toISOString())
  await userEvent.click(screen.getByRole('button', { name: 'Aconteceu em: agora' }))
  const after = typedOf(new Date().toISOString())
  expect([before, after]).toContain(heard.mock.calls.at(-1)?.[0])
})

test('the instant field marks both fields as invalid', () => {
  render(<Form error="Esta data ainda não chegou." />)
  expect(screen.getByText('Esta data ainda não chegou.')).toBeDefined()
  for (const name of ['Aconteceu em: dia', 'Aconteceu em: hora']) {
    expect(screen.getByRole('textbox', { name }).getAttribute('aria-invalid')).toBe('true')
  }
})
