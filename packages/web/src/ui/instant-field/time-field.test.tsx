import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { TimeField } from './time-field.tsx'

const Form = () => {
  const [value, setValue] = useState('')
  return (
    <MantineProvider env="test">
      <TimeField label="Horário" value={value} onChange={setValue} />
    </MantineProvider>
  )
}

test('takes a time of 24 hours by its digits, with the keypad of a phone', async () => {
  render(<Form />)
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Horário' })
  expect([field.type, field.inputMode]).toEqual(['text', 'numeric'])
  await userEvent.type(field, '1930')
  expect(field.value).toBe('19:30')
  await userEvent.clear(field)
  await userEvent.type(field, '7')
  await userEvent.tab()
  expect(field.value).toBe('07:00')
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
