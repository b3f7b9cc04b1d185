import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { TimeField } from './time-field.tsx'

interface FormProps {
  initial?: string
  send?: (time: string) => void
}

const Form = ({ initial = '', send }: FormProps) => {
  const [value, setValue] = useState(initial)
  return (
    <MantineProvider env="test">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send?.(value)
        }}
      >
        <TimeField label="Horário" value={value} onChange={setValue} />
      </form>
    </MantineProvider>
  )
}

const timeField = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Horário' })

test('the time field takes a time of 24 hours by its digits, with the keypad of a phone', async () => {
  render(<Form />)
  const field = timeField()
  expect([field.type, field.inputMode]).toEqual(['text', 'numeric'])
  await userEvent.type(field, '1930')
  expect(field.value).toBe('19:30')
  await userEvent.clear(field)
  await userEvent.type(field, '7')
  await userEvent.tab()
  expect(field.value).toBe('07:00')
})

test('the time field takes a correction of one digit where the cursor is', async () => {
  render(<Form initial="10:30" />)
  const field = timeField()
  await userEvent.type(field, '{Backspace}8', { initialSelectionStart: 2, initialSelectionEnd: 2 })
  expect(field.value).toBe('18:30')
  await userEvent.type(field, '07', { initialSelectionStart: 0, initialSelectionEnd: 2 })
  expect(field.value).toBe('07:30')
})

test('Enter sends a whole hour for an hour alone', async () => {
  const send = vi.fn()
  render(<Form send={send} />)
  await userEvent.type(timeField(), '7{Enter}')
  expect(send.mock.calls).toEqual([['07:00']])
})

test('no field shows a time in the language of the browser', () => {
  const folder = join(import.meta.dirname, '../..')
  const screens = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!test)\.tsx$/.test(path),
  )
  const native = screens.filter((path) =>
    /type="(time|datetime-local)"/.test(readFileSync(join(folder, path), 'utf8')),
  )
  expect(screens.length).toBeGreaterThan(300)
  expect(native).toEqual([])
})
