import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { FilterField } from './filter-field.tsx'

const Form = ({ error, onSubmit }: { error?: string; onSubmit?: () => void }) => {
  const [value, setValue] = useState('')
  return (
    <MantineProvider env="test">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit?.()
        }}
      >
        <FilterField
          name="filtro"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={error}
        />
      </form>
    </MantineProvider>
  )
}

afterEach(() => {
  vi.useRealTimers()
})

const type = (value: string) => fireEvent.change(field(), { target: { value } })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

const field = () => screen.getByLabelText(/^Filtro/)

test('the filter field shows an example', () => {
  render(<Form />)
  expect(screen.getByText("Sinistralidade/operadora eq 'CNU'")).toBeDefined()
})

test('the filter field reports an incomplete filter after a pause in typing only, and clears the error at once', async () => {
  vi.useFakeTimers()
  render(<Form />)
  type('Sinistralidade/sexo eq')
  await pass(799)
  expect(screen.queryByText(/Filtro inválido/)).toBeNull()
  await pass(1)
  screen.getByText(/Filtro inválido: falta .+ no fim\./)
  type("Sinistralidade/sexo eq 'feminino'")
  expect(screen.queryByText(/Filtro inválido/)).toBeNull()
  expect(screen.getByText('Filtro válido, sobre Sinistralidade/sexo.')).toBeDefined()
})

test('the filter field reports the error on blur after a short delay, so that a click is not displaced', async () => {
  vi.useFakeTimers()
  render(<Form />)
  type('nada')
  fireEvent.blur(field())
  await pass(249)
  expect(screen.queryByText(/Filtro inválido/)).toBeNull()
  await pass(1)
  screen.getByText(/Filtro inválido/)
  expect(field().getAttribute('aria-invalid')).toBe('true')
})

test("the filter field shows the server's error instead of its own", () => {
  render(<Form error="Filtro recusado." />)
  expect(screen.getByText('Filtro recusado.')).toBeDefined()
})

test('the filter field submits on Enter and inserts a line break on Shift+Enter', async () => {
  const submit = vi.fn()
  render(<Form onSubmit={submit} />)
  await userEvent.type(field(), 'a{Shift>}{Enter}{/Shift}b')
  expect(submit).not.toHaveBeenCalled()
  expect((field() as HTMLTextAreaElement).value).toBe('a\nb')
  await userEvent.type(field(), '{Enter}')
  expect(submit).toHaveBeenCalledTimes(1)
})
