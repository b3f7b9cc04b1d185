import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claimsDataset, claimsReport, fixtureFiles, writeFiles } from '../../../test/fixture.ts'
import { beginReplacing, csvOf } from '../../../test/replacing.ts'
import { check, publish } from './publish.ts'

/* Kind: a publication without the roles of the published data shows all rows to everybody. */

const roles = [{ name: 'Operadora', rows: { Claims: 'operadora = $username' } }]
const csv = 'id,operadora,sexo,valor,dia,pago,hora\n1,CNU,masculino,1,2024-01-05,true,2024-01-05 10:00:00\n'

const folderOver = async (published: object, own: object) => {
  const home = await mkdtemp(join(tmpdir(), 'papeis-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const [dataDir, folder] = [join(home, 'dados'), join(home, 'autor')]
  const dataset = { ...claimsDataset, roles: [], requiresIdentity: false }
  await writeFiles(dataDir, {
    ...fixtureFiles,
    'datasets/claims/dataset.json': { ...dataset, ...published },
    'datasets/claims/claims.csv': csv,
  })
  await writeFiles(folder, {
    'claims/dataset.json': { ...dataset, ...own },
    'claims/claims.csv': csv,
    'claims/access.csv': fixtureFiles['datasets/claims/access.csv'] ?? '',
  })
  return { settings: { dataDir, memoryMegabytes: 256 }, folder }
}

test.each([
  [{ roles, requiresIdentity: true }, {}, 'os dados publicados têm o papel Operadora, que aqui não existe'],
  [
    { roles: [...roles, { name: 'Sul', rows: {} }], requiresIdentity: true },
    { roles: [{ name: 'Norte', rows: {} }], requiresIdentity: true },
    'os dados publicados têm os papéis Operadora, Sul, que aqui não existem',
  ],
  [{ requiresIdentity: true }, {}, 'os dados publicados só abrem com uma identidade, e aqui abrem sem uma'],
])(
  'a folder without the rules of the published data is published with a remark (%#)',
  async (before, own, said) => {
    const { settings, folder } = await folderOver(before, own)
    for (const act of [check, publish]) {
      const { faults, remarks } = await act(settings, folder)
      expect(faults).toEqual([])
      expect(remarks).toContain(`${join(folder, 'claims/dataset.json')}: ${said}`)
    }
  },
)

// Kind: only the names of the roles are compared.
test.each([
  ['no rules', {}],
  ['all rows', { Claims: 'true' }],
  ['a rule of another table', { Access: "email = 'x'" }],
])('a folder whose role of the same name has %s is published with a remark', async (_what, rows) => {
  const { settings, folder } = await folderOver({ roles }, { roles: [{ name: 'Operadora', rows }] })
  for (const act of [check, publish]) {
    const { faults, remarks } = await act(settings, folder)
    expect(faults).toEqual([])
    expect(remarks).toContain(
      `${join(folder, 'claims/dataset.json')}: o papel Operadora não tem aqui a mesma regra de Claims que nos dados publicados`,
    )
  }
})

test('a folder with the same rules, or with more, gets no remark', async () => {
  const more = [
    { name: 'Operadora', rows: { claims: 'operadora = $username', Access: 'email = $username' } },
    { name: 'Sul', rows: {} },
  ]
  const { settings, folder } = await folderOver({ roles }, { roles: more })
  expect((await check(settings, folder)).remarks.join()).not.toContain('dados publicados')
})

test('a folder that moves a published report to data without its rules is published with a remark', async () => {
  const copy = '0f7c2f61-5f0c-4a36-9d3b-2b1df1d4b111'
  const { settings, folder } = await folderOver({ roles, requiresIdentity: true }, { id: copy })
  await rename(join(folder, 'claims'), join(folder, 'copia'))
  const report = JSON.stringify({ ...claimsReport, dataset: copy })
  await writeFiles(folder, {
    'workspaces/one/workspace.json': fixtureFiles['workspaces/one/workspace.json'] ?? '',
    'workspaces/one/claims.json': report,
  })
  for (const act of [check, publish]) {
    const { faults, remarks } = await act(settings, folder)
    expect(faults).toEqual([])
    expect(remarks).toContain(
      `${join(folder, 'workspaces/one/claims.json')}: o relatório publicado usa outros dados; os dados publicados têm o papel Operadora, que aqui não existe`,
    )
  }
})

test('a folder with the same roles gets no remark', async () => {
  const { settings, folder } = await folderOver({ roles }, { roles })
  expect((await check(settings, folder)).remarks.join()).not.toContain('os dados publicados')
})

test('a sent file does not replace data that has roles since its publication', async () => {
  const { service, draft, post } = await beginReplacing()
  const id = await draft(csvOf(40), 'Custos.csv')
  const { report } = (await post(`/drafts/${id}/read`, { reportName: 'Custos' })).json()
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(report), author: 'Ana' }
  const send = async (act: 'check' | 'publish') => (await post(`/drafts/${id}/${act}`, body)).json()
  expect((await send('publish')).faults).toEqual([])

  const datasets = join(service.dataDir, 'datasets')
  const files = (await readdir(datasets)).map((name) => join(datasets, name, 'dataset.json'))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const file = files[texts.findIndex((text) => JSON.parse(text).id === report.dataset)] ?? ''
  const closed = JSON.stringify({
    ...JSON.parse(await readFile(file, 'utf8')),
    roles: [{ name: 'Situação', rows: { Custos: 'Situacao = $username' } }],
  })
  await writeFile(file, closed)

  for (const act of ['check', 'publish'] as const)
    expect((await send(act)).faults).toEqual([
      'Custos.csv/dataset.json: os dados publicados têm o papel Situação, que aqui não existe. Este arquivo não traz papéis e mostraria todas as linhas a todos. Para trocar as linhas, use Substituir dados',
    ])
  expect(await readFile(file, 'utf8')).toBe(closed)
})
