import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { PageSearch } from './page-search.tsx'

const Page = ({ hasDialog = false }) => {
  const [text, setText] = useState('custo')
  return (
    <MantineProvider env="test">
      <PageSearch label="Buscar" value={text} onChange={setText} />
      <input aria-label="Outro" />
      {hasDialog && <div role="dialog" />}
    </MantineProvider>
  )
}
const search = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Buscar' })

test("'/' focuses the search and selects its text", async () => {
  render(<Page />)
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(search())
  expect(search().value).toBe('custo')
  await userEvent.keyboard('a')
  expect(search().value).toBe('a')
})

test("'/' is typed into a focused field", async () => {
  render(<Page />)
  const other = screen.getByRole<HTMLInputElement>('textbox', { name: 'Outro' })
  await userEvent.type(other, '1/2')
  expect([other.value, document.activeElement]).toEqual(['1/2', other])
})

test("'/' does nothing while a dialog is open", async () => {
  render(<Page hasDialog />)
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(document.body)
})
