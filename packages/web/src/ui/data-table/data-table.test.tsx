import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { useListState } from '../../lib/lists/list-state.ts'
import { startSession } from '../../lib/session/session.ts'
import type { Column } from './columns.ts'
import { DataTable } from './data-table.tsx'

interface Row {
  id: number
  nome: string
  sigla: string
  cidade: string
}
const rows: Row[] = [{ id: 1, nome: 'Unidade 1', sigla: 'U1', cidade: 'Curitiba' }]
const columns: Column<Row, 'nome'>[] = [
  { label: 'Sigla', render: ({ sigla }) => sigla },
  { label: 'Nome', isName: true, sort: 'nome', render: ({ nome }) => nome, detail: () => <i>detalhe</i> },
  {
    label: 'Cidade',
    phoneLabel: 'Onde',
    render: ({ cidade }) => cidade,
    detail: ({ sigla }) => `em ${sigla}`,
  },
]

const Units = ({ label = 'Unidades', isFiltered = false }: { label?: string; isFiltered?: boolean }) => {
  const state = useListState(['nome'])
  const answer = { total: 1, isCapped: false, isFetching: false, error: null, refetch: () => undefined }
  return (
    <DataTable
      list={{ state, rows, ...answer }}
      label={label}
      searchLabel="Buscar unidade"
      columns={columns}
      rowKey={({ id }) => id}
      empty={{ text: 'Nenhuma.' }}
      tools={<button type="button">Exportar</button>}
      isFiltered={isFiltered}
    />
  )
}
const show = (props: { label?: string; isFiltered?: boolean } = {}) =>
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <Units {...props} />
      </MemoryRouter>
    </MantineProvider>,
  )

const signIn = (usuario_id: number) => startSession(signedInUntil(Date.now() + 60_000, { usuario_id }))
const widen = (width: number) =>
  vi
    .spyOn(HTMLElement.prototype, 'getBoundingClientRect')
    .mockReturnValue({ ...new DOMRect(0, 0, width, 0), width } as DOMRect)
const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

beforeEach(() => {
  signIn(7)
  widen(1_000)
})

test('a person hides columns of a list, and finds the choice again', async () => {
  const { unmount } = show()
  expect(headings()).toEqual(['Sigla', 'Nome', 'Cidade'])
  await press('Colunas')
  await userEvent.click(box('Cidade'))
  expect(headings()).toEqual(['Sigla', 'Nome'])
  expect(screen.queryByText('Curitiba')).toBeNull()
  unmount()
  const again = show()
  expect(headings()).toEqual(['Sigla', 'Nome'])
  await press('Colunas')
  await press('Mostrar todas')
  expect(headings()).toEqual(['Sigla', 'Nome', 'Cidade'])
  again.unmount()
  show()
  expect(headings()).toEqual(['Sigla', 'Nome', 'Cidade'])
})

test('the choice is of this list and person alone', async () => {
  const first = show()
  await press('Colunas')
  await userEvent.click(box('Sigla'))
  expect(headings()).toEqual(['Nome', 'Cidade'])
  first.unmount()
  const other = show({ label: 'Outras unidades' })
  expect(headings()).toEqual(['Sigla', 'Nome', 'Cidade'])
  other.unmount()
  signIn(8)
  show()
  expect(headings()).toEqual(['Sigla', 'Nome', 'Cidade'])
})

test('the column that names the rows stays', async () => {
  show()
  await press('Colunas')
  expect(box('Nome').disabled).toBe(true)
  expect(box('Nome').checked).toBe(true)
})

test.each(['{', '"Nome"', '[1]'])(
  'the data table ignores a stored choice that it cannot read: %s',
  (stored) => {
    localStorage.setItem('bi-manager.colunas.7.Unidades', stored)
    show()
    expect(headings()).toEqual(['Sigla', 'Nome', 'Cidade'])
  },
)

test('the menu works with the keyboard, and Esc returns the focus to its button', async () => {
  show()
  screen.getByRole('button', { name: 'Colunas' }).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(box('Sigla')))
  await userEvent.keyboard(' ')
  expect(headings()).toEqual(['Nome', 'Cidade'])
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Colunas' })))
})

test('a narrow list shows cards, and folds all but its search behind a button', async () => {
  widen(700)
  show({ isFiltered: true })
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByRole('searchbox', { name: 'Buscar unidade' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Exportar' })).toBeNull()
  const options = screen.getByRole('button', { name: 'Opções com filtro' })
  await userEvent.click(options)
  expect(options.getAttribute('aria-expanded')).toBe('true')
  expect(screen.getByRole('button', { name: 'Exportar' })).toBeDefined()
  expect(screen.getByRole('combobox', { name: 'Ordenar por' })).toBeDefined()
  await press('Colunas')
  await userEvent.click(box('Onde'))
  expect(within(screen.getByRole('list', { name: 'Unidades' })).queryByText('Curitiba')).toBeNull()
})

test.each([700, 1200])('a text below the content is its own line, %i pixels wide', (width) => {
  widen(width)
  show()
  expect(screen.getByText('em U1').className).toContain('detail')
  expect(screen.getByText('Curitiba')).toBeDefined()
})

test('a name is cut after two lines, and the pointer shows all of it', async () => {
  show()
  const name = screen.getByText('Unidade 1')
  expect(name.parentElement?.textContent).toBe('Unidade 1detalhe')
  await userEvent.hover(name)
  expect(name.title).toBe('')
  vi.spyOn(name, 'scrollHeight', 'get').mockReturnValue(80)
  await userEvent.unhover(name)
  await userEvent.hover(name)
  expect(name.title).toBe('Unidade 1')
})
