import type { ExternalReport, Workspace } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { groupReportsQuery, workspaceQuery } from '../../lib/api/entity-queries.ts'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { ReportField } from './report-field.tsx'

const group = (id: number): Workspace => ({
  idGrupoRelatorio: id,
  nomeGrupo: `Grupo ${id}`,
  idGrupo: `3f2504e0-4f89-41d3-9a0c-00000000000${id}`,
  idPowerBi: 1,
  nomePowerBi: 'Conexão',
  versao: 1,
})
const report = (digit: number, nome: string, jaCadastrado = false): ExternalReport => ({
  reportId: `aaaaaaaa-0000-4000-8000-00000000000${digit}`,
  nome,
  jaCadastrado,
  tipo: 'INTERATIVO',
  impedimento: null,
})
const live = {
  1: [report(1, 'Sinistralidade', true), report(2, 'Água por região')],
  2: [report(3, 'Absenteísmo')],
}

interface FormProps {
  client: QueryClient
  group: number | undefined
  initial: SelectOption<string> | null
  chosen: (SelectOption<string> | null)[]
}

const Form = ({ client, group, initial, chosen }: FormProps) => {
  const [value, setValue] = useState(initial)
  return (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <ReportField
          idGrupoRelatorio={group}
          name="reportId"
          value={value}
          onChange={(option) => {
            chosen.push(option)
            setValue(option)
          }}
          error={undefined}
        />
      </QueryClientProvider>
    </MantineProvider>
  )
}

const show = ({
  group: first,
  value = null,
}: {
  group?: number
  value?: SelectOption<string> | null
} = {}) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  for (const id of [1, 2] as const) {
    client.setQueryData(workspaceQuery(id).queryKey, group(id))
    client.setQueryData(groupReportsQuery(group(id)).queryKey, live[id])
  }
  const chosen: FormProps['chosen'] = []
  const props = { client, initial: value, chosen }
  const { rerender } = render(<Form {...props} group={first} />)
  return { chosen, choose: (id: number) => rerender(<Form {...props} group={id} />) }
}

const field = () => screen.getByRole('combobox', { name: 'Report' })
const options = () => screen.findAllByRole('option').then((found) => found.map((one) => one.textContent))

test('the report field asks for the workspace first, but accepts a typed id without one', async () => {
  const { chosen } = show()
  expect(screen.getByText(/^Escolha o grupo primeiro para ver/)).toBeDefined()
  await userEvent.click(field())
  expect(await screen.findByText('Escolha o grupo primeiro.')).toBeDefined()
  await userEvent.type(field(), 'AAAAAAAA-0000-4000-8000-000000000009')
  await userEvent.click(await screen.findByText('Usar “AAAAAAAA-0000-4000-8000-000000000009”'))
  expect(chosen.at(-1)?.value).toBe('AAAAAAAA-0000-4000-8000-000000000009')
})

test('the report field offers the reports of the chosen workspace and marks the registered ones', async () => {
  const { choose } = show({ group: 1 })
  await userEvent.click(field())
  expect(await options()).toEqual([
    'Sinistralidadeaaaaaaaa-0000-4000-8000-000000000001já cadastrado',
    'Água por regiãoaaaaaaaa-0000-4000-8000-000000000002',
  ])
  await userEvent.keyboard('{Escape}')
  choose(2)
  await userEvent.click(field())
  await screen.findByText('Absenteísmo')
  expect(await options()).toEqual(['Absenteísmoaaaaaaaa-0000-4000-8000-000000000003'])
})

test('the report field finds reports by name without accents, and says when none matches', async () => {
  show({ group: 1 })
  await userEvent.type(field(), 'agua')
  await expect.poll(options).toEqual(['Água por regiãoaaaaaaaa-0000-4000-8000-000000000002'])
  await userEvent.type(field(), ' zzz')
  expect(await screen.findByText('Nenhum resultado encontrado!')).toBeDefined()
})

test('the report field shows the name of a registered report, and a warning in another workspace', async () => {
  const { choose } = show({
    group: 1,
    value: { value: live[1][0]?.reportId.toUpperCase() ?? '', label: 'id' },
  })
  await expect.poll(() => (field() as HTMLInputElement).value).toBe('Sinistralidade')
  expect(screen.queryByText(/não está entre os que a conexão enxerga/)).toBeNull()
  choose(2)
  expect(await screen.findByText(/não está entre os que a conexão enxerga/)).toBeDefined()
})
