// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
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

const field = () => screen.getByLabelText(/^Filtro/)

test('shows an example', () => {
  render(<Form />)
  expect(screen.getByText("Sinistralidade/operadora eq 'CNU'")).toBeDefined()
})

test('half a filter is no mistake while one types; after a pause it is, and mended it is not', async () => {
  render(<Form />)
  await userEvent.type(field(), 'Sinistralidade/sexo eq')
  expect(screen.queryByText(/Filtro inválido/)).toBeNull()
  await screen.findByText(/Filtro inválido: falta .+ no fim\./, undefined, { timeout: 3000 })
  await userEvent.type(field(), " 'feminino'")
  expect(screen.queryByText(/Filtro inválido/)).toBeNull()
  expect(screen.getByText('Filtro válido, sobre Sinistralidade/sexo.')).toBeDefined()
})

test('leaving the field tells the fault before the pause is over, but not under the click that left it', async () => {
  render(<Form />)
  await userEvent.type(field(), 'nada')
  await userEvent.tab()
  expect(screen.queryByText(/Filtro inválido/)).toBeNull()
  await screen.findByText(/Filtro inválido/, undefined, { timeout: 600 })
  expect(field().getAttribute('aria-invalid')).toBe('true')
})

test('what the server said stands before our own judgement', () => {
  render(<Form error="Filtro recusado." />)
  expect(screen.getByText('Filtro recusado.')).toBeDefined()
})

test('Enter saves, Shift+Enter breaks the line', async () => {
  const submit = vi.fn()
  render(<Form onSubmit={submit} />)
  await userEvent.type(field(), 'a{Shift>}{Enter}{/Shift}b')
  expect(submit).not.toHaveBeenCalled()
  expect((field() as HTMLTextAreaElement).value).toBe('a\nb')
  await userEvent.type(field(), '{Enter}')
  expect(submit).toHaveBeenCalledTimes(1)
})
