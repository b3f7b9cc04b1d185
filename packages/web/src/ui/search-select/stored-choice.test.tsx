import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { StoredChoice } from './stored-choice.tsx'

/** What the fake server keeps. */
let kept: { id: number; name: string }[]
beforeEach(() => {
  kept = [
    { id: 3, name: 'Ana Souza' },
    { id: 4, name: 'Bia Lima' },
  ]
})

const store = vi.fn(async (id: number, isChosen: boolean) => {
  kept = isChosen ? [...kept, { id, name: 'Caio Reis' }] : kept.filter((one) => one.id !== id)
})

const Choice = ({ save = store }: { save?: (id: number, isChosen: boolean) => Promise<void> }) => {
  const { data = [] } = useQuery({ queryKey: ['escolhidas'], queryFn: async () => kept })
  return (
    <StoredChoice
      label="Pessoas"
      listLabel="Pessoas autorizadas"
      searchKey={['pessoas']}
      search={async () => [{ value: 5, label: 'Caio Reis' }]}
      chosen={data}
      chosenKey={['escolhidas']}
      store={save}
    />
  )
}

const show = async (save?: (id: number, isChosen: boolean) => Promise<void>) => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <Choice {...(save && { save })} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return screen.findByRole('button', { name: 'Retirar Ana Souza' })
}
const names = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const field = () => screen.getByRole('combobox', { name: 'Pessoas' })

test('a removal is stored and announced, and the focus moves to the field', async () => {
  await userEvent.click(await show())
  await screen.findByText('Ana Souza saiu da lista.')
  expect(screen.getByText('Ana Souza saiu da lista.').getAttribute('role')).toBe('status')
  expect(store.mock.calls).toEqual([[3, false]])
  expect(names()).toEqual(['Bia Lima'])
  expect(document.activeElement).toBe(field())
})

test('a person that is found and chosen is stored and announced', async () => {
  await show()
  await userEvent.type(field(), 'caio')
  await userEvent.click(await screen.findByRole('option', { name: 'Caio Reis' }))
  await screen.findByText('Caio Reis entrou na lista.')
  expect(names()).toEqual(['Ana Souza', 'Bia Lima', 'Caio Reis'])
})

test('after a refusal the list is read again, the focus stays, and the cause is shown', async () => {
  const remove = await show(async () => {
    kept = kept.filter(({ id }) => id === 3)
    throw new Error('recusado')
  })
  await userEvent.click(remove)
  await screen.findByRole('alert')
  await waitFor(() => expect(names()).toEqual(['Ana Souza']))
  expect(document.activeElement).toBe(remove)
})
