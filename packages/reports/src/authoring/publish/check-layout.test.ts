import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claimsReport, fixtureFiles, GROUP, visual, writeFiles } from '../../../test/fixture.ts'
import { readDefinitions } from '../../definitions/read-definitions.ts'
import { layoutRemarks } from './check-layout.ts'
import { check } from './publish.ts'

test('the check remarks on visuals outside the canvas or covering another, with their figures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'autor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const at = (name: string, x: number, y: number, width: number, height: number) =>
    visual(name, 'SELECT 1 AS x', { layout: { x, y, width, height } })
  const pages = [
    {
      name: 'M',
      displayName: 'P',
      // Adjacent visuals, and one on the margin of another.
      visuals: [
        at('a', 0, 0, 640, 360),
        at('b', 640, 0, 640, 360),
        at('c', 0, 350, 640, 370),
        at('wide', 1000, 400, 300, 100),
        at('high', 700, 700, 100.5, 30),
        at('over', 100, 100, 200, 200),
      ],
    },
    { name: 'N', displayName: 'O', visuals: [at('a', 0, 0, 640, 360), at('b', 0, 0, 640, 360)] },
  ]
  const dataDir = join(folder, 'dados')
  await writeFiles(dataDir, fixtureFiles)
  const authored = join(folder, 'autor')
  await writeFiles(authored, {
    'workspace.json': { id: GROUP, name: 'W' },
    'claims.json': { ...claimsReport, pages },
  })
  const { faults, remarks } = await check({ dataDir, memoryMegabytes: 256 }, authored)
  expect(faults).toEqual([])
  const said = remarks.map((one) => one.replace(`${authored}/`, '').replace(/ \(linha 1, coluna \d+\)$/, '§'))
  expect(said).toEqual([
    'claims.json: pages[0].visuals[3].layout: sai da tela: x + width = 1000 + 300 = 1300, e a largura é 1280§',
    'claims.json: pages[0].visuals[4].layout: sai da tela: y + height = 700 + 30 = 730, e a altura é 720§',
    'claims.json: pages[0].visuals[5].layout: fica no mesmo lugar que o visual a: um cobre o outro§',
    'claims.json: pages[1].visuals[1].layout: fica no mesmo lugar que o visual a: um cobre o outro§',
  ])
})

test("the demo's reports have no layout remarks", async () => {
  const { workspaces } = await readDefinitions(join(import.meta.dirname, '../../../demo'), () => {})
  const reports = workspaces.flatMap((workspace) => workspace.reports)
  expect(reports).toHaveLength(10)
  expect(reports.flatMap(layoutRemarks)).toEqual([])
})
