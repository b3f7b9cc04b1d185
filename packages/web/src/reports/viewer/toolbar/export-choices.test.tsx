import type { ReportExportRequest } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { PaginatedChoices } from './export-choices.tsx'

interface Choices {
  parametros: { nome: string; valor: string }[]
  painelParametros: boolean
  onChoose: (makeBody: () => Promise<ReportExportRequest>) => void
}

const Choices = (props: Choices) => {
  const [values, setValues] = useState(props.parametros.map(({ valor }) => valor))
  return <PaginatedChoices {...props} values={values} onChange={setValues} />
}

const show = (painelParametros: boolean, parametros: Choices['parametros']) => {
  const bodies: Promise<ReportExportRequest>[] = []
  render(
    <MantineProvider env="test">
      <Choices
        parametros={parametros}
        painelParametros={painelParametros}
        onChoose={(makeBody) => bodies.push(makeBody())}
      />
    </MantineProvider>,
  )
  return bodies
}
const registered = [
  { nome: 'Ano', valor: '2026' },
  { nome: 'Ano', valor: '2025' },
]

test('the dialog exports with the values that the reader typed', async () => {
  const bodies = show(true, registered)
  const [, second] = screen.getAllByLabelText('Ano')
  await userEvent.clear(second as HTMLElement)
  await userEvent.type(second as HTMLElement, '2024')
  await userEvent.click(screen.getByRole('button', { name: 'Excel (XLSX)' }))
  expect(await Promise.all(bodies)).toEqual([
    {
      formato: 'XLSX',
      pagina: null,
      visual: null,
      filtros: {},
      marcador: null,
      parametros: ['Ano=2026', 'Ano=2024'],
    },
  ])
})

test('the dialog asks for no values of fixed parameters, which the server sends', async () => {
  const bodies = show(false, registered)
  expect(screen.queryByLabelText('Ano')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'CSV' }))
  expect(await bodies[0]).toMatchObject({ formato: 'CSV', parametros: [] })
})

test('the dialog says that unregistered parameters have their default in the file', () => {
  show(true, [])
  expect(screen.getByText(/sai com os parâmetros padrão do relatório/)).toBeDefined()
})
