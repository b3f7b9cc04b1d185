import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { SearchSelect } from './search-select.tsx'
import type { OptionSearch, SelectOption } from './select-options.ts'

const names = ['Água', 'Banco', 'Barco']
const found: OptionSearch<number> = async (text) =>
  names
    .map((label, value) => ({ value, label }))
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))

interface Heard {
  chosen: (option: SelectOption | null) => void
  search: OptionSearch<number>
  initial: SelectOption | null
  error?: string | undefined
}

const Field = ({ chosen, search, initial, error }: Heard) => {
  const [value, setValue] = useState(initial)
  const change = (option: SelectOption | null) => {
    setValue(option)
    chosen(option)
  }
  return (
    <SearchSelect
      label="Grupo"
      value={value}
      onChange={change}
      search={search}
      queryKey={['teste']}
      error={value ? undefined : error}
    />
  )
}

const show = (search: OptionSearch<number> = found, initial: SelectOption | null = null, error?: string) => {
  const chosen = vi.fn()
  const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  const escaped = vi.fn()
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <form onSubmit={submitted} onKeyDown={(event) => event.key === 'Escape' && escaped()}>
          <Field chosen={chosen} search={search} initial={initial} error={error} />
          <input aria-label="outro" />
          <button type="submit">Gravar</button>
        </form>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Grupo' })
  return { chosen, submitted, escaped, field }
}

const optionNames = () => screen.queryAllByRole('option').map((option) => option.textContent)

test('the search select activates the first match, which Enter takes without submitting the form', async () => {
  const { chosen, submitted, field } = show()
  await userEvent.type(field, 'ba')
  await waitFor(() => expect(optionNames()).toEqual(['Banco', 'Barco']))
  await userEvent.keyboard('{Enter}')
  expect(chosen.mock.calls).toEqual([[{ value: 1, label: 'Banco' }]])
  expect(submitted).not.toHaveBeenCalled()
  expect(field.value).toBe('Banco')
  expect(field.getAttribute('aria-expanded')).toBe('false')
  await userEvent.keyboard('{Enter}')
  expect(submitted).toHaveBeenCalledOnce()
})

test('Enter before the answer does not take a result of the previous search', async () => {
  const { chosen, submitted, field } = show()
  await userEvent.click(field)
  await waitFor(() => expect(optionNames()).toEqual(names))
  await userEvent.keyboard('barco{Enter}')
  expect(chosen).not.toHaveBeenCalled()
  expect(submitted).not.toHaveBeenCalled()
  await waitFor(() => expect(optionNames()).toEqual(['Barco']))
  await userEvent.keyboard('{Enter}')
  expect(chosen.mock.calls).toEqual([[{ value: 2, label: 'Barco' }]])
})

test('arrow keys move through the list and set aria-activedescendant', async () => {
  const { chosen, field } = show()
  await userEvent.click(field)
  await waitFor(() => expect(optionNames()).toEqual(names))
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  const active = field.getAttribute('aria-activedescendant')
  expect(document.getElementById(active ?? '')?.textContent).toBe('Banco')
  await userEvent.keyboard('{Enter}')
  expect(chosen.mock.calls).toEqual([[{ value: 1, label: 'Banco' }]])
})

test('Esc closes only the list and restores the chosen name; the next Esc reaches the form', async () => {
  const { chosen, escaped, field } = show(found, { value: 0, label: 'Água' })
  await userEvent.click(field)
  await userEvent.type(field, 'x')
  await userEvent.keyboard('{Escape}')
  expect(field.value).toBe('Água')
  expect(escaped).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  expect(escaped).toHaveBeenCalledOnce()
  expect(chosen).not.toHaveBeenCalled()
})

test('the search select closes the list when another field is focused', async () => {
  const { field } = show()
  await userEvent.click(field)
  await waitFor(() => expect(optionNames()).toEqual(names))
  await userEvent.click(screen.getByLabelText('outro'))
  expect(field.getAttribute('aria-expanded')).toBe('false')
})

test('the search select hides the options of another queryKey while its own search runs', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const endless: OptionSearch<number> = () => new Promise(() => undefined)
  const select = (group: string, search: OptionSearch<number>) => (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <SearchSelect
          label="Grupo"
          value={null}
          onChange={() => undefined}
          search={search}
          queryKey={['teste', group]}
          notice="Só os cadastrados."
        />
      </QueryClientProvider>
    </MantineProvider>
  )
  const { rerender } = render(select('um', found))
  await userEvent.click(screen.getByRole('combobox', { name: 'Grupo' }))
  await waitFor(() => expect(optionNames()).toEqual(names))
  expect(screen.getByText('Só os cadastrados.')).toBeDefined()
  rerender(select('um', endless))
  await userEvent.keyboard('x')
  await waitFor(() => expect(client.isFetching()).toBe(1))
  expect(optionNames()).toEqual(names)
  rerender(select('dois', endless))
  expect(optionNames()).toEqual([])
  expect(screen.getByText('Carregando…')).toBeDefined()
})

test('the search select shows an empty result, a failure and its retry in the list', async () => {
  let fails = true
  const { field } = show(async () => {
    if (fails) throw new TypeError('fetch failed')
    return []
  })
  await userEvent.click(field)
  const retry = await screen.findByRole('button', { name: 'Tentar novamente' })
  fails = false
  await userEvent.click(retry)
  expect(await screen.findByText('Nenhum resultado encontrado!')).toBeDefined()
})

test('the search select clears the choice', async () => {
  const { chosen, field } = show(found, { value: 0, label: 'Água' })
  await userEvent.click(screen.getByRole('button', { name: 'Limpar seleção' }))
  expect(chosen.mock.calls).toEqual([[null]])
  expect(field.value).toBe('')
})

test('the search select shows no error under text that is being searched, and shows it again when nothing is chosen', async () => {
  const { field } = show(found, null, 'Campo obrigatório')
  expect(screen.getByText('Campo obrigatório')).toBeDefined()
  await userEvent.type(field, 'ba')
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
  await userEvent.tab()
  expect(field.value).toBe('')
  expect(screen.getByText('Campo obrigatório')).toBeDefined()
  await userEvent.type(field, 'ba')
  await waitFor(() => expect(optionNames()).toEqual(['Banco', 'Barco']))
  await userEvent.keyboard('{Enter}')
  expect(field.value).toBe('Banco')
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
})

interface KeptProps extends Pick<Heard, 'chosen' | 'error'> {
  added?: (text: string) => void
}

const Kept = ({ chosen, added, error }: KeptProps) => {
  const [value, setValue] = useState<SelectOption | null>({ value: 0, label: 'Água' })
  return (
    <SearchSelect
      label="Grupo"
      keepsText
      value={value}
      onChange={(option) => {
        setValue(option)
        chosen(option)
      }}
      search={found}
      queryKey={['guardado']}
      error={error}
      extra={added && { labelOf: (text) => (text ? `Adicionar “${text}”` : undefined), onChoose: added }}
    />
  )
}
describe('keepsText', () => {
  const showKept = (added?: (text: string) => void, error?: string) => {
    const chosen = vi.fn()
    render(
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient()}>
          <Kept chosen={chosen} {...(added && { added })} error={error} />
          <input aria-label="outro" />
        </QueryClientProvider>
      </MantineProvider>,
    )
    return { chosen, field: screen.getByRole<HTMLInputElement>('combobox', { name: 'Grupo' }) }
  }
  const type = async (field: HTMLInputElement, text: string) => {
    await userEvent.click(field)
    await userEvent.clear(field)
    await userEvent.type(field, text)
  }
  const leave = () => userEvent.click(screen.getByLabelText('outro'))

  test('keepsText keeps a text that is left, says that it is not a choice, and searches it again on return', async () => {
    const { chosen, field } = showKept()
    await type(field, 'ba')
    await leave()
    expect(field.value).toBe('ba')
    expect(chosen.mock.lastCall).toEqual([null])
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByRole('status').textContent).toBe('“ba” ainda não foi escolhido. Escolha na lista.')
    await userEvent.click(field)
    await waitFor(() => expect(optionNames()).toEqual(['Banco', 'Barco']))
    await userEvent.click(screen.getByRole('option', { name: 'Barco' }))
    expect(chosen.mock.lastCall).toEqual([{ value: 2, label: 'Barco' }])
    expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['Barco', null])
  })

  test('keepsText takes the option that is called like the text, also when its results arrive later', async () => {
    const { chosen, field } = showKept()
    await type(field, 'BANCO')
    await leave()
    await waitFor(() => expect(chosen.mock.lastCall).toEqual([{ value: 1, label: 'Banco' }]))
    expect(field.value).toBe('Banco')
  })

  test('keepsText offers to add the text after it was left', async () => {
    const added = vi.fn()
    const { field } = showKept(added)
    await type(field, 'Nova')
    await leave()
    await userEvent.click(await screen.findByRole('button', { name: 'Adicionar “Nova”' }))
    expect(added.mock.calls).toEqual([['Nova']])
    expect(screen.queryByRole('button', { name: 'Adicionar “Nova”' })).toBeNull()
  })

  test('keepsText says in a form that lacks a value that the text can be added, also while it has the focus', async () => {
    const added = vi.fn()
    const { field } = showKept(added, 'É necessário preencher este campo!')
    await type(field, 'Nova')
    await leave()
    await screen.findByRole('button', { name: 'Adicionar “Nova”' })
    act(() => field.focus())
    const fault = document.getElementById(field.getAttribute('aria-describedby') ?? '')
    expect(fault?.textContent).toBe('“Nova” ainda não está cadastrado. Adicione-o ou escolha na lista.')
    await userEvent.click(screen.getByRole('button', { name: 'Adicionar “Nova”' }))
    expect(added.mock.calls).toEqual([['Nova']])
  })

  test('Esc restores the choice', async () => {
    const { chosen, field } = showKept()
    await userEvent.click(field)
    await userEvent.keyboard('x{Escape}')
    await leave()
    expect([field.value, chosen.mock.calls]).toEqual(['Água', []])
  })
})
