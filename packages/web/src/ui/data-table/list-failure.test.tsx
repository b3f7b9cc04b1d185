import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { FailureScope } from './failure-scope.tsx'
import { ListFailure } from './list-failure.tsx'

const lost = new TypeError('fetch failed')
const sentence = /^Não foi possível falar com o servidor/

const Part = ({ name, retried }: { name: string; retried: string[] }) => (
  <section aria-label={name}>
    <ListFailure error={lost} isFetching={false} onRetry={() => retried.push(name)} />
  </section>
)

test('the parts of a page say the same failure once, and its button retries all of them', async () => {
  const retried: string[] = []
  const page = (names: string[]) => (
    <MantineProvider env="test">
      <FailureScope>
        {names.map((name) => (
          <Part key={name} name={name} retried={retried} />
        ))}
      </FailureScope>
    </MantineProvider>
  )
  const { rerender } = render(page(['a', 'b', 'c']))
  expect(screen.getAllByText(sentence)).toHaveLength(1)
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  expect(screen.getByRole('region', { name: 'a' }).textContent).toMatch(sentence)
  expect(screen.getAllByText('Não carregou.')).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  expect(retried).toEqual(['a', 'b', 'c'])

  // The first has loaded: the next part says it.
  rerender(page(['b', 'c']))
  expect(screen.getByRole('region', { name: 'b' }).textContent).toMatch(sentence)
  expect(screen.getAllByText(sentence)).toHaveLength(1)
})

test('a list outside such a page says its own failure', async () => {
  const retried: string[] = []
  render(
    <MantineProvider env="test">
      <Part name="a" retried={retried} />
      <Part name="b" retried={retried} />
    </MantineProvider>,
  )
  expect(screen.getAllByText(sentence)).toHaveLength(2)
  await userEvent.click(screen.getAllByRole('button')[1] as HTMLElement)
  expect(retried).toEqual(['b'])
})
