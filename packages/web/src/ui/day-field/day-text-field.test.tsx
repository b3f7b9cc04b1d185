import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { DayTextField } from './day-text-field.tsx'

const Form = ({ initial, send }: { initial: string; send: (value: string) => void }) => {
  const [value, setValue] = useState(initial)
  return (
    <MantineProvider env="test">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send(value)
        }}
      >
        <DayTextField label="Último dia" value={value} onChange={setValue} />
      </form>
    </MantineProvider>
  )
}

const show = (initial: string) => {
  const send = vi.fn()
  render(<Form initial={initial} send={send} />)
  return { send, field: screen.getByRole<HTMLInputElement>('textbox', { name: 'Último dia' }) }
}

test('the day text field takes a correction where the cursor is', async () => {
  const { field } = show('12/10/2026')
  await userEvent.type(field, '{Backspace}5', { initialSelectionStart: 2, initialSelectionEnd: 2 })
  expect(field.value).toBe('15/10/2026')
})

test('the day text field writes the zeros of a day on Enter and when the field is left', async () => {
  const { send, field } = show('')
  await userEvent.type(field, '1/3/2026{Enter}')
  expect(send.mock.calls).toEqual([['01/03/2026']])
  await userEvent.type(field, '{Delete}', { initialSelectionStart: 0, initialSelectionEnd: 0 })
  expect(field.value).toBe('1/03/2026')
  await userEvent.tab()
  expect(field.value).toBe('01/03/2026')
})

test('each field for a typed day is one of these', () => {
  const folder = join(import.meta.dirname, '../..')
  const masking = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(?<!test)\.tsx$/.test(path) && /\bmaskDay\(/.test(readFileSync(join(folder, path), 'utf8')),
  )
  expect(masking.sort()).toEqual(['ui/day-field/day-field.tsx', 'ui/day-field/day-text-field.tsx'])
})
