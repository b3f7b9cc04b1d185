import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { ReadersSection } from './readers-section.tsx'

const users = ['Ana Barros', 'Bia Barros'].map((nomeUsuario, index) => ({
  idUsuario: index + 1,
  nomeUsuario,
  emailUsuario: `${index}@x.com`,
}))
beforeEach(() =>
  vi.stubGlobal('fetch', async (url: string) => {
    const text = new URL(url, 'https://portal.test').searchParams.get('busca') ?? ''
    return Response.json(
      users.filter(({ nomeUsuario }) => nomeUsuario.toLowerCase().includes(text.toLowerCase())),
    )
  }),
)
afterEach(() => vi.unstubAllGlobals())

const publish = vi.fn()

const Section = () => {
  const [people, setPeople] = useState<SelectOption[]>([])
  return (
    <ReadersSection
      step={3}
      people={people}
      onChange={setPeople}
      publication={{ error: null, isPending: false, mutate: () => publish(people.map(({ label }) => label)) }}
      disabled={false}
    />
  )
}

test('the section keeps a name that is left without choosing, and does not publish without that person', async () => {
  publish.mockClear()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <Section />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Pessoas' })
  const button = screen.getByRole('button', { name: 'Publicar' })
  await userEvent.type(field, 'barros')
  await userEvent.click(button)
  expect([field.value, document.activeElement]).toEqual(['barros', field])
  await vi.waitFor(() =>
    expect(screen.getByRole('status').textContent).toBe(
      '“barros” ainda não foi escolhido. Escolha na lista.',
    ),
  )
  expect(publish).not.toHaveBeenCalled()

  await userEvent.clear(field)
  await userEvent.type(field, 'bia barros')
  await userEvent.tab()
  expect(await screen.findByRole('button', { name: 'Retirar Bia Barros' })).toBeDefined()
  await userEvent.click(button)
  expect(publish.mock.calls).toEqual([[['Bia Barros']]])
})
