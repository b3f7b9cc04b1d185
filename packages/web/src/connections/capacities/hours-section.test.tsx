import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { capacity, refusal } from '../../../test/capacity.ts'
import { dayText } from '../../lib/text/relative-time.ts'
import { HoursSection } from './hours-section.tsx'

afterEach(() => vi.unstubAllGlobals())

const thisMonth = dayText(Date.now()).split('/').slice(1).reverse().join('-')
const hours = {
  dias: [{ dia: `${thisMonth}-01`, horas: 7.5 }],
  meses: [
    { mes: '2020-01', horas: 100 },
    { mes: thisMonth, horas: 7.5 },
  ],
}

const show = () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) =>
      url.endsWith(`mes=${thisMonth}`) ? Response.json(hours) : refusal('O banco de dados não respondeu.'),
    ),
  )
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider env="test">
        <HoursSection capacity={capacity} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('a month that cannot be read says so, and the other months stay in the list', async () => {
  show()
  await screen.findByText('7,5 h', { selector: 'strong' })
  const months = screen.getByLabelText('Mês')
  await userEvent.selectOptions(months, '2020-01')
  await screen.findByText('O banco de dados não respondeu.')
  expect(screen.queryByText('7,5 h', { selector: 'strong' })).toBeNull()
  expect([...months.querySelectorAll('option')].map(({ value }) => value)).toEqual([thisMonth, '2020-01'])
  await userEvent.selectOptions(months, thisMonth)
  await screen.findByText('7,5 h', { selector: 'strong' })
})
