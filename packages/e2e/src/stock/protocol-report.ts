import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoCatalogue } from '@bi-manager/reports/demo/catalogue'

/* A report with one of each kind that protocol messages refer to, over the demo's data. */

const model = (column: string) => ({ table: 'Sinistralidade', column })
const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })

const byColumn = (column: string) => [
  `SELECT ${column}, count(*) AS n FROM Sinistralidade GROUP BY 1 ORDER BY 1`,
]

const home = demoCatalogue().workspaces.find(({ reports }) =>
  reports.some(({ name }) => name === 'Internações'),
)

export const protocolReport = {
  id: 'c1a70b54-2e6d-4d19-9f38-64e0d2b830ff',
  name: 'Protocolo',
  /** Its path in the REST API. */
  address: `${home?.id}/reports/c1a70b54-2e6d-4d19-9f38-64e0d2b830ff`,
}

/** Returns a basic filter of either report, as an embedding page passes it. */
export const isIn = (column: string, ...values: string[]) => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { table: 'Sinistralidade', column },
  filterType: 1,
  operator: 'In' as const,
  values,
})

/** Adds the report to the demo's, before the service starts. */
export const writeProtocolReport = async (dataDir: string): Promise<void> => {
  const folder = join(dataDir, 'workspaces', 'gestao-de-saude')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'protocolo.json'), JSON.stringify(definition))
}

const definition = {
  id: protocolReport.id,
  name: protocolReport.name,
  dataset: '3b6f1d2e-58a4-4c0e-9a51-7d0c1e5a1001',
  underlyingData: true,
  filterPane: [{ target: model('operadora'), label: 'Operadora' }],
  bookmarks: [
    {
      name: 'so_cnu',
      displayName: 'Só CNU',
      page: 'outra',
      filters: [{ target: model('operadora'), operator: 'In', values: ['CNU'], filterType: 1 }],
    },
    { name: 'tudo', displayName: 'Tudo', page: 'uma', filters: [] },
  ],
  pages: [
    {
      name: 'uma',
      displayName: 'Uma',
      visuals: [
        {
          name: 'operadora',
          type: 'bar',
          title: 'Por operadora',
          layout: box(24, 24, 500, 320),
          query: byColumn('operadora'),
          labels: { n: 'Quantos, ao todo' },
          select: { target: model('operadora'), column: 'operadora' },
        },
        {
          name: 'especialidade',
          type: 'table',
          title: 'Por especialidade',
          layout: box(548, 24, 400, 320),
          query: byColumn('especialidade'),
        },
        {
          name: 'escolha',
          type: 'slicer',
          title: 'Operadora',
          layout: box(972, 24, 280, 320),
          slicer: { target: model('operadora') },
        },
        {
          name: 'um_sexo',
          type: 'slicer',
          title: 'Sexo',
          layout: box(972, 368, 280, 200),
          slicer: { target: model('sexo'), single: true },
        },
        {
          name: 'ir',
          type: 'button',
          title: 'Ir à outra',
          layout: box(24, 368, 200, 48),
          button: { page: 'outra' },
        },
        {
          name: 'cnu',
          type: 'button',
          title: 'Ver a CNU',
          layout: box(248, 368, 200, 48),
          button: { bookmark: 'so_cnu' },
        },
      ],
    },
    {
      name: 'outra',
      displayName: 'Outra',
      visuals: [
        {
          name: 'quem',
          type: 'table',
          title: 'Quem',
          layout: box(24, 24, 600, 320),
          query: byColumn('operadora'),
        },
      ],
    },
  ],
}

/** The values that the report's visuals over this column show without filters. */
export const operadoras = ['BRADESCO', 'CNU', 'PARANA_CLINICAS', 'SANTA_CASA']
