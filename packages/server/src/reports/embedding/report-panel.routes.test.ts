import { specifiedPanel } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { datasetId } from '../../../test/stand-ins/provider-stand-in.ts'

const { suite, publish, viewer } = embeddingSuite()

const declared = {
  table: 'Calendário',
  column: 'ano',
  label: 'Ano',
  default: 2026,
  values: [
    { value: 2026, label: 'Este ano' },
    { value: 2025, label: '' },
  ],
}

/** Returns the panel of a report for which the provider answers with this annotation. */
const panelFor = async (panel: unknown, fields: Parameters<typeof publish>[0] = {}) => {
  suite.provider.answer('report', ({ path }) => ({
    body: {
      id: path.split('/').at(-1),
      datasetId,
      '@biManager.panel': panel,
      embedUrl: `${suite.provider.origin}/reportEmbed`,
    },
  }))
  const { report, address } = await publish({ operadoraRelatorio: 'UNIMED', ...fields })
  const { post } = await viewer(report.idRelatorio)
  const { status, body } = await post('/usuarios/relatorio/embed', address)
  expect(status).toBe(200)
  return body.filtrosPainel
}

test("the portal returns the filters that the report's own definition declares", async () => {
  expect(await panelFor({ filters: [declared] })).toEqual([
    {
      nome: 'Calendário/ano',
      rotulo: 'Ano',
      tabela: 'Calendário',
      coluna: 'ano',
      padrao: '2026',
      opcoes: [
        { valor: '2026', rotulo: 'Este ano', enviado: 2026 },
        { valor: '2025', rotulo: '2025', enviado: 2025 },
      ],
    },
  ])
  expect(await panelFor({ filters: [] })).toEqual([])
})

test("the portal returns the specification's filters whose column the dataset has", async () => {
  const columns = [
    { table: 'SINISTRALIDADE', column: 'Sexo' },
    { table: 'Outra', column: 'operadora' },
  ]
  const [, sexo] = specifiedPanel
  expect(await panelFor({ columns })).toEqual([sexo])
  expect(await panelFor({ columns: [] })).toEqual([])
  expect(await panelFor(undefined)).toEqual(specifiedPanel)
})

test('the portal prefers what an administrator registered', async () => {
  const filtrosPainel = JSON.stringify([])
  expect(await panelFor({ filters: [declared] }, { filtrosPainel })).toEqual([])
})

test.each([
  ['a faulty declaration', { filters: [{ ...declared, default: 1999 }] }],
  ['too many filters', { filters: Array.from({ length: 9 }, (_, n) => ({ ...declared, column: `c${n}` })) }],
  ['another type', 'x'],
])('the portal opens the report with the usual filters for %s', async (_, panel) => {
  expect(await panelFor(panel)).toEqual(specifiedPanel)
})
